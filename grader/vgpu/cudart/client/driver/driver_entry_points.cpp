// The driver API: addresses of its functions, and answers for those that the virtual GPU does not have.
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "vgpu/cudart/client/driver/driver_api.h"

namespace cudalabs::vgpu::client::driver {
namespace {

/// The newest form first: programs ask by the name without it.
constexpr const char* kForms[] = {"_v4", "_v3", "_v2", ""};
constexpr std::size_t kLongestName = 128;

/// Of a form those for a default stream of each thread.
constexpr const char* kPerThread[] = {"_ptsz", "_ptds"};

void* symbol(const char* name, const char* form, const char* suffix) {
  char whole[kLongestName];
  const int length = snprintf(whole, sizeof whole, "%s%s%s", name, form, suffix);
  if (length < 0 || static_cast<std::size_t>(length) >= sizeof whole) return nullptr;
  return dlsym(RTLD_DEFAULT, whole);
}

/// What came with a version, and is not the same to its caller as the form before.
struct NewForm {
  const char* name;
  int version;
};
constexpr NewForm kNewForms[] = {{"cuCtxCreate_v4", 13000},
                                 {"cuCtxCreate_v3", 11040},
                                 {"cuCtxGetDevice_v2", 13000},
                                 {"cuCtxSynchronize_v2", 13000},
                                 {"cuGraphAddDependencies_v2", 12030},
                                 {"cuGraphAddKernelNode_v2", 12000},
                                 {"cuGraphAddNode_v2", 12030},
                                 {"cuGraphExecKernelNodeSetParams_v2", 12000},
                                 {"cuGraphExecUpdate_v2", 12000},
                                 {"cuGraphGetEdges_v2", 12030},
                                 {"cuGraphKernelNodeGetParams_v2", 12000},
                                 {"cuGraphKernelNodeSetParams_v2", 12000},
                                 {"cuGraphNodeGetDependencies_v2", 12030},
                                 {"cuGraphNodeGetDependentNodes_v2", 12030},
                                 {"cuGraphRemoveDependencies_v2", 12030},
                                 {"cuMemAdvise_v2", 12020},
                                 {"cuMemPrefetchAsync_v2", 12020},
                                 {"cuMemcpy3DBatchAsync_v2", 13000},
                                 {"cuMemcpyBatchAsync_v2", 13000},
                                 {"cuStreamBeginCapture_v2", 10010},
                                 {"cuStreamGetCaptureInfo_v3", 12030},
                                 {"cuStreamGetCaptureInfo_v2", 11030},
                                 {"cuStreamGetCtx_v2", 12050},
                                 {"cuStreamUpdateCaptureDependencies_v2", 12030}};

/// A name that means another function from a version on.
constexpr char kInstantiate[] = "cuGraphInstantiate", kInstantiateWithFlags[] = "cuGraphInstantiateWithFlags";
constexpr int kInstantiatesWithFlags = 12000;

bool is_newer(const char* name, const char* form, int version) {
  for (const NewForm& known : kNewForms) {
    const std::size_t length = strlen(name);
    if (strncmp(known.name, name, length) == 0 && strcmp(known.name + length, form) == 0)
      return version < known.version;
  }
  return false;
}

void* entry_point(const char* name, int version, bool per_thread) {
  if (strncmp(name, "cu", 2) != 0 || strncmp(name, "cuda", 4) == 0) return nullptr;
  if (strcmp(name, kInstantiate) == 0 && version >= kInstantiatesWithFlags) name = kInstantiateWithFlags;
  for (const char* form : kForms) {
    if (is_newer(name, form, version)) continue;
    void* const plain = symbol(name, form, "");
    if (plain == nullptr) continue;
    for (const char* suffix : kPerThread)
      if (void* const own = per_thread ? symbol(name, form, suffix) : nullptr) return own;
    return plain;
  }
  return nullptr;
}

}  // namespace

CUDALABS_API int cuGetProcAddress_v2(const char* name, void** address, int version, std::uint64_t flags, int* found) {
  constexpr int kFound = 0, kSymbolNotFound = 1;
  constexpr std::uint64_t kPerThreadDefaultStream = 2;
  if (!name || !address) return kInvalidValue;
  *address = entry_point(name, version, (flags & kPerThreadDefaultStream) != 0);
  if (found) *found = *address ? kFound : kSymbolNotFound;
  return *address ? kSuccess : kNotFound;
}

CUDALABS_API int cuGetProcAddress(const char* name, void** address, int version, std::uint64_t flags) {
  return cuGetProcAddress_v2(name, address, version, flags, nullptr);
}

// NVIDIA's own libraries, such as NVRTC, ask for tables that nothing describes, and do without.
CUDALABS_API int cuGetExportTable(const void**, const void*) {
  return kNotFound;
}

// Callers pass what the function takes; no argument is looked at, so none is named.
#define CUDALABS_DRIVER_UNSUPPORTED(name)                                                                       \
  CUDALABS_API int name() {                                                                                     \
    CUDALABS_DRIVER_CALL(#name);                                                                                \
    return result_of(                                                                                           \
        answer_here(wire::call("cudaGetDriverEntryPoint"), {}, [](Client&) { return cudaErrorNotSupported; })); \
  }
#define CUDALABS_DRIVER_OFFERED(name)
#include "vgpu/cudart/driver_names.h"
#undef CUDALABS_DRIVER_OFFERED
#undef CUDALABS_DRIVER_UNSUPPORTED

}  // namespace cudalabs::vgpu::client::driver
