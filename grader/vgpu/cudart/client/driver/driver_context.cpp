// The driver API: initialisation, the device, and contexts.
#include "vgpu/cudart/client/driver/driver_context.h"

#include <stdlib.h>
#include <string.h>

namespace cudalabs::vgpu::client::driver {
namespace {

constexpr int kVersion = 13000;
constexpr unsigned kMostContexts = 64;

constinit bool initialized = false;
constinit Context primary{.id = 1};
constinit unsigned long long contexts_made = 1;
constinit unsigned primary_users = 0;
constinit unsigned others_alive = 0;
thread_local constinit Context* stack[kMostContexts];
thread_local constinit unsigned depth = 0;

/// CUdevprop of the toolkit.
struct OldProperties {
  int threads_per_block, block_dim[3], grid_dim[3], shared_bytes, constant_bytes, warp, pitch, registers, clock_khz,
      texture_alignment;
};

bool is_device(Device device) {
  return device == 0;
}

/// The device is connected to, and `body` looks at what is known of it.
template <class Body>
int of_device(Device device, Body&& body) {
  if (const Result missing = ready(false); missing != kSuccess) return missing;
  if (!is_device(device)) return kInvalidDevice;
  return body();
}

Result push(Context* context) {
  if (depth == kMostContexts) return kOutOfMemory;
  stack[depth++] = context;
  return kSuccess;
}

int create(Context** context, unsigned int flags, Device device) {
  return of_device(device, [&]() -> int {
    if (!context) return kInvalidValue;
    auto* const made = static_cast<Context*>(malloc(sizeof(Context)));
    if (!made) return kOutOfMemory;
    *made = {flags, true, 0};
    const Result pushed = push(made);
    if (pushed != kSuccess) {
      free(made);
      return pushed;
    }
    Lock lock;
    ++others_alive;
    made->id = ++contexts_made;
    *context = made;
    return kSuccess;
  });
}

bool is_context(const Context* context) {
  return context && (context == &primary || context->alive);
}

/// With the last context goes what lies in the device's memory.
int leave_device() {
  {
    Lock lock;
    if (others_alive > 0 || primary_users > 0 || has_any_thread_called_runtime()) return kSuccess;
  }
  return result_of(cudaDeviceReset());
}

}  // namespace

Context* current_context() {
  if (depth > 0) return stack[depth - 1];
  return has_called_runtime() ? &primary : nullptr;
}

Result ready(bool needs_context) {
  if (!initialized && !has_called_runtime()) return kNotInitialized;
  if (!needs_context) return kSuccess;
  return is_context(current_context()) ? kSuccess : kInvalidContext;
}

Result check_context(const Context* context) {
  return context == nullptr || is_context(context) ? kSuccess : kInvalidContext;
}

CUDALABS_API int cuInit(unsigned int flags) {
  if (flags != 0) return kInvalidValue;
  Lock lock;
  const cudaError_t status = client().connect();
  initialized = status == cudaSuccess;
  return result_of(status);
}

CUDALABS_API int cuDriverGetVersion(int* version) {
  if (!version) return kInvalidValue;
  *version = kVersion;
  return kSuccess;
}

CUDALABS_API int cuDeviceGetCount(int* count) {
  CUDALABS_DRIVER_CALL("cuDeviceGetCount");
  const Result missing = ready(false);
  return missing == kSuccess ? result_of(cudaGetDeviceCount(count)) : missing;
}

CUDALABS_API int cuDeviceGet(Device* device, int ordinal) {
  return of_device(ordinal, [&] { return device ? (*device = ordinal, kSuccess) : kInvalidValue; });
}

CUDALABS_API int cuDeviceGetName(char* name, int bytes, Device device) {
  return of_device(device, [&] {
    if (!name || bytes <= 0) return kInvalidValue;
    Lock lock;
    const char* const known = client().device.name;
    const std::size_t fits = static_cast<std::size_t>(bytes) - 1, length = strnlen(known, fits);
    memcpy(name, known, length);
    name[length] = 0;
    return kSuccess;
  });
}

CUDALABS_API int cuDeviceTotalMem_v2(std::size_t* bytes, Device device) {
  return of_device(device, [&] {
    if (!bytes) return kInvalidValue;
    Lock lock;
    *bytes = client().device.global_bytes;
    return kSuccess;
  });
}

// Both APIs have one numbering of attributes.
CUDALABS_API int cuDeviceGetAttribute(int* value, int attribute, Device device) {
  CUDALABS_DRIVER_CALL("cuDeviceGetAttribute");
  return of_device(
      device, [&] { return result_of(cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device)); });
}

CUDALABS_API int cuDeviceComputeCapability(int* major, int* minor, Device device) {
  return of_device(device, [&] {
    if (!major || !minor) return kInvalidValue;
    Lock lock;
    *major = static_cast<int>(client().device.compute_major);
    *minor = static_cast<int>(client().device.compute_minor);
    return kSuccess;
  });
}

CUDALABS_API int cuDeviceGetUuid_v2(cudaUUID_t* uuid, Device device) {
  CUDALABS_DRIVER_CALL("cuDeviceGetUuid_v2");
  return of_device(device, [&] {
    cudaDeviceProp properties;
    const Result result = result_of(cudaGetDeviceProperties(&properties, device));
    if (!uuid) return kInvalidValue;
    if (result == kSuccess) *uuid = properties.uuid;
    return result;
  });
}

CUDALABS_API int cuDeviceGetPCIBusId(char* id, int bytes, Device device) {
  CUDALABS_DRIVER_CALL("cuDeviceGetPCIBusId");
  return of_device(device, [&] { return result_of(cudaDeviceGetPCIBusId(id, bytes, device)); });
}

CUDALABS_API int cuDeviceGetProperties(OldProperties* old, Device device) {
  CUDALABS_DRIVER_CALL("cuDeviceGetProperties");
  return of_device(device, [&] {
    if (!old) return kInvalidValue;
    cudaDeviceProp known;
    int clock_khz = 0;
    Result result = result_of(cudaGetDeviceProperties(&known, device));
    if (result == kSuccess) result = result_of(cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, device));
    if (result != kSuccess) return result;
    *old = {known.maxThreadsPerBlock,
            {known.maxThreadsDim[0], known.maxThreadsDim[1], known.maxThreadsDim[2]},
            {known.maxGridSize[0], known.maxGridSize[1], known.maxGridSize[2]},
            static_cast<int>(known.sharedMemPerBlock),
            static_cast<int>(known.totalConstMem),
            known.warpSize,
            static_cast<int>(known.memPitch),
            known.regsPerBlock,
            clock_khz,
            static_cast<int>(known.textureAlignment)};
    return kSuccess;
  });
}

CUDALABS_API int cuDeviceCanAccessPeer(int* can_access, Device device, Device peer) {
  CUDALABS_DRIVER_CALL("cuDeviceCanAccessPeer");
  return of_device(device, [&] { return result_of(cudaDeviceCanAccessPeer(can_access, device, peer)); });
}

CUDALABS_API int cuCtxCreate_v2(Context** context, unsigned int flags, Device device) {
  return create(context, flags, device);
}

CUDALABS_API int cuCtxCreate_v3(Context** context, void*, int, unsigned int flags, Device device) {
  return create(context, flags, device);
}

CUDALABS_API int cuCtxCreate_v4(Context** context, void*, unsigned int flags, Device device) {
  return create(context, flags, device);
}

CUDALABS_API int cuCtxDestroy_v2(Context* context) {
  CUDALABS_DRIVER_CALL("cuCtxDestroy_v2");
  if (const Result missing = ready(false); missing != kSuccess) return missing;
  if (!context || context == &primary || !context->alive) return kInvalidContext;
  {
    Lock lock;
    context->alive = false;  // handles of it, in other threads' stacks, stay what they are
    --others_alive;
  }
  if (depth > 0 && stack[depth - 1] == context) --depth;
  return leave_device();
}

CUDALABS_API int cuCtxPushCurrent_v2(Context* context) {
  if (const Result missing = ready(false); missing != kSuccess) return missing;
  return is_context(context) ? push(context) : kInvalidContext;
}

CUDALABS_API int cuCtxPopCurrent_v2(Context** context) {
  if (const Result missing = ready(false); missing != kSuccess) return missing;
  if (depth == 0) return kInvalidContext;
  if (context) *context = stack[depth - 1];
  --depth;
  return kSuccess;
}

CUDALABS_API int cuCtxSetCurrent(Context* context) {
  if (const Result missing = ready(false); missing != kSuccess) return missing;
  if (depth > 0) --depth;
  return context ? push(context) : kSuccess;
}

CUDALABS_API int cuCtxGetCurrent(Context** context) {
  if (const Result missing = ready(false); missing != kSuccess) return missing;
  if (!context) return kInvalidValue;
  *context = current_context();
  return kSuccess;
}

CUDALABS_API int cuCtxGetDevice(Device* device) {
  return in_context([&] { return device ? (*device = 0, kSuccess) : kInvalidValue; });
}

CUDALABS_API int cuCtxGetDevice_v2(Device* device, const Context* context) {
  return in_context([&] { return check_context(context) == kSuccess ? cuCtxGetDevice(device) : kInvalidContext; });
}

/// No number is used again: that of the primary context is 1.
CUDALABS_API int cuCtxGetId(const Context* context, unsigned long long* id) {
  return in_context([&] {
    if (!id) return kInvalidValue;
    if (check_context(context) != kSuccess) return kInvalidContext;
    const Context* const asked = context ? context : current_context();
    *id = asked->id;
    return kSuccess;
  });
}

CUDALABS_API int cuCtxGetApiVersion(Context*, unsigned int* version) {
  return in_context([&] { return version ? (*version = kVersion, kSuccess) : kInvalidValue; });
}

CUDALABS_API int cuCtxGetFlags(unsigned int* flags) {
  return in_context([&] { return flags ? (*flags = current_context()->flags, kSuccess) : kInvalidValue; });
}

CUDALABS_API int cuCtxSynchronize() {
  CUDALABS_DRIVER_CALL("cuCtxSynchronize");
  return in_context([] { return cudaDeviceSynchronize(); });
}

CUDALABS_API int cuCtxSynchronize_v2(const Context* context) {
  CUDALABS_DRIVER_CALL("cuCtxSynchronize_v2");
  return in_context([&]() -> int {
    return check_context(context) == kSuccess ? result_of(cudaDeviceSynchronize()) : kInvalidContext;
  });
}

CUDALABS_API int cuCtxSetFlags(unsigned int flags) {
  return in_context([&] { return current_context()->flags = flags, kSuccess; });
}

CUDALABS_API int cuCtxResetPersistingL2Cache() {
  CUDALABS_DRIVER_CALL("cuCtxResetPersistingL2Cache");
  return in_context([] { return cudaCtxResetPersistingL2Cache(); });
}

// Contexts of one device reach its memory anyway; there is no other device that could be asked for.
CUDALABS_API int cuCtxEnablePeerAccess(const Context* peer, unsigned int flags) {
  return in_context([&] {
    if (!is_context(peer) || peer == current_context()) return kInvalidContext;
    return flags == 0 ? kPeerAccessUnsupported : kInvalidValue;
  });
}

CUDALABS_API int cuCtxDisablePeerAccess(const Context* peer) {
  return in_context([&] { return is_context(peer) ? kPeerAccessNotEnabled : kInvalidContext; });
}

CUDALABS_API int cuCtxGetLimit(std::size_t* value, int limit) {
  CUDALABS_DRIVER_CALL("cuCtxGetLimit");
  return in_context([&] { return cudaDeviceGetLimit(value, static_cast<cudaLimit>(limit)); });
}

CUDALABS_API int cuCtxSetLimit(int limit, std::size_t value) {
  CUDALABS_DRIVER_CALL("cuCtxSetLimit");
  return in_context([&] { return cudaDeviceSetLimit(static_cast<cudaLimit>(limit), value); });
}

CUDALABS_API int cuCtxGetCacheConfig(int* config) {
  return in_context([&] { return config ? (*config = 0, kSuccess) : kInvalidValue; });
}

CUDALABS_API int cuCtxSetCacheConfig(int) {
  return in_context([] { return kSuccess; });
}

CUDALABS_API int cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  CUDALABS_DRIVER_CALL("cuCtxGetStreamPriorityRange");
  return in_context([&] { return cudaDeviceGetStreamPriorityRange(least, greatest); });
}

CUDALABS_API int cuDevicePrimaryCtxRetain(Context** context, Device device) {
  return of_device(device, [&] {
    if (!context) return kInvalidValue;
    Lock lock;
    ++primary_users;
    *context = &primary;
    return kSuccess;
  });
}

CUDALABS_API int cuDevicePrimaryCtxRelease_v2(Device device) {
  CUDALABS_DRIVER_CALL("cuDevicePrimaryCtxRelease_v2");
  return of_device(device, [&]() -> int {
    {
      Lock lock;
      if (primary_users == 0) return kInvalidContext;
      --primary_users;
    }
    return leave_device();
  });
}

CUDALABS_API int cuDevicePrimaryCtxReset_v2(Device device) {
  CUDALABS_DRIVER_CALL("cuDevicePrimaryCtxReset_v2");
  return of_device(device, [] { return result_of(cudaDeviceReset()); });
}

CUDALABS_API int cuDevicePrimaryCtxSetFlags_v2(Device device, unsigned int flags) {
  return of_device(device, [&] { return primary.flags = flags, kSuccess; });
}

CUDALABS_API int cuDevicePrimaryCtxGetState(Device device, unsigned int* flags, int* active) {
  return of_device(device, [&] {
    if (!flags || !active) return kInvalidValue;
    Lock lock;
    *flags = primary.flags;
    *active = primary_users > 0 || has_any_thread_called_runtime();
    return kSuccess;
  });
}

}  // namespace cudalabs::vgpu::client::driver
