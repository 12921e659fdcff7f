// The runtime API: the one device, its properties, limits and versions.
#include <stdio.h>
#include <string.h>

#include "vgpu/cudart/client/device_array.h"
#include "vgpu/cudart/client/texture_limits.h"

namespace cudalabs::vgpu::client {
namespace {

constexpr int kRuntimeVersion = CUDART_VERSION;
constexpr char kBusId[] = "0000:01:00.0";

// What cudaDeviceSetLimit and friends were told; the virtual GPU has no use for it but programs read it back.
struct Settings {
  // The runtime's defaults: bytes of stack, of the printf buffer and of the heap; depth and number of launches by
  // kernels; bytes that the L2 cache fetches, and keeps
  size_t limits[cudaLimitPersistingL2CacheSize + 1] = {1024, 1 << 20, 8 << 20, 2, 2048, 64, 0};
  cudaFuncCache cache_config = cudaFuncCachePreferNone;
  unsigned int flags = cudaDeviceScheduleAuto;
};
constinit Settings settings;

constinit unsigned resets = 0;  // of the device, so far

cudaError_t valid_device(int device) {
  return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

void fill_properties(const wire::DeviceInfo& device, cudaDeviceProp& p) {
  memset(&p, 0, sizeof p);
  memcpy(p.name, device.name, sizeof p.name);
  p.name[sizeof p.name - 1] = 0;
  p.totalGlobalMem = device.global_bytes;
  p.sharedMemPerBlock = device.shared_bytes_per_block;
  p.regsPerBlock = static_cast<int>(device.registers_per_block);
  p.warpSize = 32;
  p.memPitch = 0x7fffffff;
  p.maxThreadsPerBlock = static_cast<int>(device.max_threads_per_block);
  for (int i = 0; i < 3; ++i) {
    p.maxThreadsDim[i] = static_cast<int>(device.max_block_dim[i]);
    p.maxGridSize[i] = static_cast<int>(device.max_grid_dim[i]);
  }
  p.totalConstMem = device.constant_bytes;
  p.major = static_cast<int>(device.compute_major);
  p.minor = static_cast<int>(device.compute_minor);
  p.textureAlignment = 512;
  p.texturePitchAlignment = 32;
  p.multiProcessorCount = static_cast<int>(device.multiprocessors);
  p.surfaceAlignment = 512;
  p.concurrentKernels = 1;
  p.pciBusID = 1;
  p.asyncEngineCount = 2;
  p.unifiedAddressing = 1;
  p.canMapHostMemory = 1;
  p.memoryPoolsSupported = 1;
  p.canUseHostPointerForRegisteredMem = 1;
  p.memoryBusWidth = static_cast<int>(device.memory_bus_bits);
  p.l2CacheSize = static_cast<int>(device.l2_bytes);
  // From compute capability 8.0 on, three quarters of the L2 cache can be set aside.
  if (device.compute_major >= 8) {
    p.persistingL2CacheMaxSize = static_cast<int>(device.l2_bytes / 4 * 3);
    p.accessPolicyMaxWindowSize = 128 << 20;
  }
  p.maxThreadsPerMultiProcessor = static_cast<int>(device.max_threads_per_multiprocessor);
  p.streamPrioritiesSupported = 1;
  p.globalL1CacheSupported = 1;
  p.localL1CacheSupported = 1;
  p.sharedMemPerMultiprocessor = device.shared_bytes_per_multiprocessor;
  p.regsPerMultiprocessor = static_cast<int>(device.registers_per_multiprocessor);
  p.hostRegisterSupported = 1;
  p.cooperativeLaunch = 1;
  p.clusterLaunch = device.compute_major >= 9;
  p.sharedMemPerBlockOptin = device.shared_bytes_per_block_optin;
  p.maxBlocksPerMultiProcessor = static_cast<int>(device.max_blocks_per_multiprocessor);
  p.reservedSharedMemPerBlock = device.reserved_shared_bytes_per_block;
  p.clockRate = static_cast<int>(device.clock_khz);
  p.memoryClockRate = static_cast<int>(device.memory_clock_khz);
  p.deviceOverlap = 1;
  p.computeMode = cudaComputeModeDefault;
  p.managedMemory = 1;
  fill_texture_limits(p);
  p.concurrentManagedAccess = 1;
}

cudaError_t attribute_value(const wire::DeviceInfo& device, cudaDeviceAttr attribute, int* value) {
  cudaDeviceProp p;
  fill_properties(device, p);
  // clang-format off
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: *value = p.maxThreadsPerBlock; break;
    case cudaDevAttrMaxBlockDimX: *value = p.maxThreadsDim[0]; break;
    case cudaDevAttrMaxBlockDimY: *value = p.maxThreadsDim[1]; break;
    case cudaDevAttrMaxBlockDimZ: *value = p.maxThreadsDim[2]; break;
    case cudaDevAttrMaxGridDimX: *value = p.maxGridSize[0]; break;
    case cudaDevAttrMaxGridDimY: *value = p.maxGridSize[1]; break;
    case cudaDevAttrMaxGridDimZ: *value = p.maxGridSize[2]; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *value = static_cast<int>(p.sharedMemPerBlock); break;
    case cudaDevAttrTotalConstantMemory: *value = static_cast<int>(p.totalConstMem); break;
    case cudaDevAttrWarpSize: *value = p.warpSize; break;
    case cudaDevAttrMaxPitch: *value = static_cast<int>(p.memPitch); break;
    case cudaDevAttrMaxRegistersPerBlock: *value = p.regsPerBlock; break;
    case cudaDevAttrClockRate: *value = p.clockRate; break;
    case cudaDevAttrTextureAlignment: *value = static_cast<int>(p.textureAlignment); break;
    case cudaDevAttrGpuOverlap: *value = p.deviceOverlap; break;
    case cudaDevAttrMultiProcessorCount: *value = p.multiProcessorCount; break;
    case cudaDevAttrConcurrentKernels: *value = p.concurrentKernels; break;
    case cudaDevAttrPciBusId: *value = p.pciBusID; break;
    case cudaDevAttrMemoryClockRate: *value = p.memoryClockRate; break;
    case cudaDevAttrGlobalMemoryBusWidth: *value = p.memoryBusWidth; break;
    case cudaDevAttrL2CacheSize: *value = p.l2CacheSize; break;
    case cudaDevAttrMaxPersistingL2CacheSize: *value = p.persistingL2CacheMaxSize; break;
    case cudaDevAttrMaxAccessPolicyWindowSize: *value = p.accessPolicyMaxWindowSize; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *value = p.maxThreadsPerMultiProcessor; break;
    case cudaDevAttrAsyncEngineCount: *value = p.asyncEngineCount; break;
    case cudaDevAttrUnifiedAddressing: *value = p.unifiedAddressing; break;
    case cudaDevAttrComputeCapabilityMajor: *value = p.major; break;
    case cudaDevAttrComputeCapabilityMinor: *value = p.minor; break;
    case cudaDevAttrStreamPrioritiesSupported: *value = p.streamPrioritiesSupported; break;
    case cudaDevAttrGlobalL1CacheSupported: *value = p.globalL1CacheSupported; break;
    case cudaDevAttrLocalL1CacheSupported: *value = p.localL1CacheSupported; break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *value = static_cast<int>(p.sharedMemPerMultiprocessor); break;
    case cudaDevAttrMaxRegistersPerMultiprocessor: *value = p.regsPerMultiprocessor; break;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio: *value = 32; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = static_cast<int>(p.sharedMemPerBlockOptin); break;
    case cudaDevAttrHostRegisterSupported: *value = p.hostRegisterSupported; break;
    case cudaDevAttrMaxBlocksPerMultiprocessor: *value = p.maxBlocksPerMultiProcessor; break;
    case cudaDevAttrReservedSharedMemoryPerBlock: *value = static_cast<int>(p.reservedSharedMemPerBlock); break;
    case cudaDevAttrCooperativeLaunch: *value = p.cooperativeLaunch; break;
    case cudaDevAttrClusterLaunch: *value = p.clusterLaunch; break;
    case cudaDevAttrMemoryPoolsSupported: *value = p.memoryPoolsSupported; break;
    case cudaDevAttrCanMapHostMemory: *value = p.canMapHostMemory; break;
    case cudaDevAttrCanUseHostPointerForRegisteredMem: *value = p.canUseHostPointerForRegisteredMem; break;
    case cudaDevAttrManagedMemory: *value = p.managedMemory; break;
    case cudaDevAttrConcurrentManagedAccess: *value = p.concurrentManagedAccess; break;
    default: {
      // Streams wait for values in memory, which may be 64-bit ones, or clear bits; those of textures; else what this
      // device does not have.
      constexpr int kWideValues = 122, kClearBits = 123, kLast = 147;  // of CUDA 13
      const int number = static_cast<int>(attribute);
      if (number < 1 || number > kLast) return cudaErrorInvalidValue;
      *value = number == kWideValues || number == kClearBits ? 1 : texture_limit(number);
    }
  }
  // clang-format on
  return cudaSuccess;
}

}  // namespace

CUDALABS_API cudaError_t cudaGetDeviceCount(int* count) {
  if (count) *count = 0;
  return answer_here(wire::call("cudaGetDeviceCount"), call_site(), [&](Client&) {
    if (!count) return cudaErrorInvalidValue;
    *count = 1;
    return cudaSuccess;
  });
}

CUDALABS_API cudaError_t cudaGetDevice(int* device) {
  return answer_here(wire::call("cudaGetDevice"), call_site(), [&](Client&) {
    if (!device) return cudaErrorInvalidValue;
    *device = 0;
    return cudaSuccess;
  });
}

CUDALABS_API cudaError_t cudaSetDevice(int device) {
  return answer_here(wire::call("cudaSetDevice"), call_site(), [&](Client&) { return valid_device(device); });
}

CUDALABS_API cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) {
  return answer_here(wire::call("cudaInitDevice"), call_site(), [&](Client&) { return valid_device(device); });
}

CUDALABS_API cudaError_t cudaSetValidDevices(int* devices, int count) {
  return answer_here(wire::call("cudaSetValidDevices"), call_site(), [&](Client&) {
    if (!devices || count < 0) return cudaErrorInvalidValue;
    for (int i = 0; i < count; ++i)
      if (devices[i] != 0) return cudaErrorInvalidDevice;
    return cudaSuccess;
  });
}

CUDALABS_API cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return answer_here(wire::call("cudaGetDeviceProperties"), call_site(), [&](Client& self) {
    if (!properties) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    fill_properties(self.device, *properties);
    return cudaSuccess;
  });
}

CUDALABS_API cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return answer_here(wire::call("cudaDeviceGetAttribute"), call_site(), [&](Client& self) {
    if (!value) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    return attribute_value(self.device, attribute, value);
  });
}

CUDALABS_API cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* properties) {
  return answer_here(wire::call("cudaChooseDevice"), call_site(), [&](Client&) {
    if (!device || !properties) return cudaErrorInvalidValue;
    *device = 0;
    return cudaSuccess;
  });
}

CUDALABS_API cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  return answer_here(wire::call("cudaSetDeviceFlags"), call_site(), [&](Client&) {
    if (flags & ~static_cast<unsigned int>(cudaDeviceMask)) return cudaErrorInvalidValue;
    settings.flags = flags;
    return cudaSuccess;
  });
}

CUDALABS_API cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  return answer_here(wire::call("cudaGetDeviceFlags"), call_site(), [&](Client&) {
    if (!flags) return cudaErrorInvalidValue;
    *flags = settings.flags;
    return cudaSuccess;
  });
}

CUDALABS_API cudaError_t cudaDeviceSynchronize() {
  return answer(wire::call("cudaDeviceSynchronize"), call_site(), [](Client& self) {
    Expected nothing;
    return self.exchange(wire::Op::synchronize, nullptr, 0, nullptr, nothing);
  });
}

CUDALABS_API cudaError_t cudaDeviceReset() {
  return answer(wire::call("cudaDeviceReset"), call_site(), [](Client& self) {
    Expected nothing;
    const cudaError_t status = self.exchange(wire::Op::reset, nullptr, 0, nullptr, nothing);
    if (status == cudaSuccess) {
      self.forget_device_state();
      ++resets;
    }
    return status;
  });
}

/// For a harness that has to know whether the code under test has reset the device: how often that was done so far.
CUDALABS_API unsigned cudalabs_device_resets() {
  const Lock lock;
  return resets;
}

CUDALABS_API cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return answer_here(wire::call("cudaDeviceGetLimit"), call_site(), [&](Client&) {
    if (!value) return cudaErrorInvalidValue;
    if (limit < 0 || limit > cudaLimitPersistingL2CacheSize) return cudaErrorUnsupportedLimit;
    *value = settings.limits[limit];
    return cudaSuccess;
  });
}

CUDALABS_API cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return answer(wire::call("cudaDeviceSetLimit"), call_site(), [&](Client& self) {
    if (limit < 0 || limit > cudaLimitPersistingL2CacheSize) return cudaErrorUnsupportedLimit;
    const cudaError_t status =
        limit == cudaLimitMallocHeapSize ? self.ask(wire::Op::set_heap, wire::SetHeap{value}) : cudaSuccess;
    if (status == cudaSuccess) settings.limits[limit] = value;
    return status;
  });
}

CUDALABS_API cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return answer_here(wire::call("cudaDeviceGetCacheConfig"), call_site(), [&](Client&) {
    if (!config) return cudaErrorInvalidValue;
    *config = settings.cache_config;
    return cudaSuccess;
  });
}

CUDALABS_API cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  return answer_here(wire::call("cudaDeviceSetCacheConfig"), call_site(), [&](Client&) {
    settings.cache_config = config;
    return cudaSuccess;
  });
}

// Shared memory has banks of four bytes on all devices of today: the setting is accepted and changes nothing.
CUDALABS_API cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return answer_here(wire::call("cudaDeviceGetSharedMemConfig"), call_site(), [&](Client&) {
    if (!config) return cudaErrorInvalidValue;
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
  });
}

CUDALABS_API cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
  return answer_here(wire::call("cudaDeviceSetSharedMemConfig"), call_site(), [](Client&) { return cudaSuccess; });
}

CUDALABS_API cudaError_t cudaCtxResetPersistingL2Cache() {
  return answer_here(wire::call("cudaCtxResetPersistingL2Cache"), call_site(), [](Client&) { return cudaSuccess; });
}

CUDALABS_API cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return answer_here(wire::call("cudaDeviceGetStreamPriorityRange"), call_site(), [&](Client&) {
    if (least) *least = 0;
    if (greatest) *greatest = -5;
    return cudaSuccess;
  });
}

CUDALABS_API cudaError_t cudaDeviceGetPCIBusId(char* bus_id, int length, int device) {
  return answer_here(wire::call("cudaDeviceGetPCIBusId"), call_site(), [&](Client&) {
    if (!bus_id || length < 1) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    snprintf(bus_id, static_cast<size_t>(length), "%s", kBusId);
    return cudaSuccess;
  });
}

CUDALABS_API cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* bus_id) {
  return answer_here(wire::call("cudaDeviceGetByPCIBusId"), call_site(), [&](Client&) {
    if (!device || !bus_id) return cudaErrorInvalidValue;
    if (strcmp(bus_id, kBusId) != 0) return cudaErrorInvalidDevice;
    *device = 0;
    return cudaSuccess;
  });
}

CUDALABS_API cudaError_t cudaDeviceCanAccessPeer(int* can_access, int device, int peer_device) {
  return answer_here(wire::call("cudaDeviceCanAccessPeer"), call_site(), [&](Client&) {
    if (!can_access) return cudaErrorInvalidValue;
    if (device != 0 || peer_device != 0) return cudaErrorInvalidDevice;
    *can_access = 0;
    return cudaSuccess;
  });
}

CUDALABS_API cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int) {
  return answer_here(wire::call("cudaDeviceEnablePeerAccess"), call_site(),
                     [](Client&) { return cudaErrorInvalidDevice; });
}

CUDALABS_API cudaError_t cudaDeviceDisablePeerAccess(int) {
  return answer_here(wire::call("cudaDeviceDisablePeerAccess"), call_site(),
                     [](Client&) { return cudaErrorInvalidDevice; });
}

// It is about two devices.
CUDALABS_API cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int, int) {
  return answer_here(wire::call("cudaDeviceGetP2PAttribute"), call_site(), [&](Client&) {
    const bool known =
        attribute >= cudaDevP2PAttrPerformanceRank && attribute <= cudaDevP2PAttrOnlyPartialNativeAtomicSupported;
    return value == nullptr || !known ? cudaErrorInvalidValue : cudaErrorInvalidDevice;
  });
}

CUDALABS_API cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* texels, const cudaChannelFormatDesc* format,
                                                              int device) {
  return answer_here(wire::call("cudaDeviceGetTexture1DLinearMaxWidth"), call_site(), [&](Client&) {
    if (texels == nullptr || format == nullptr || channels_of(*format).count == 0) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    *texels = static_cast<std::size_t>(texture_limit(kTextureLinearWidth));
    return cudaSuccess;
  });
}

// Versions are known without a device; a driver that is not there has version 0.
CUDALABS_API cudaError_t cudaDriverGetVersion(int* version) {
  if (!version) return remember(cudaErrorInvalidValue);
  Lock lock;
  *version = client().connect() == cudaSuccess ? kRuntimeVersion : 0;
  return cudaSuccess;
}

CUDALABS_API cudaError_t cudaRuntimeGetVersion(int* version) {
  if (!version) return remember(cudaErrorInvalidValue);
  *version = kRuntimeVersion;
  return cudaSuccess;
}

CUDALABS_API cudaError_t cudaProfilerStart() {
  return answer_here(wire::call("cudaProfilerStart"), call_site(), [](Client&) { return cudaSuccess; });
}

CUDALABS_API cudaError_t cudaProfilerStop() {
  return answer_here(wire::call("cudaProfilerStop"), call_site(), [](Client&) { return cudaSuccess; });
}

}  // namespace cudalabs::vgpu::client
