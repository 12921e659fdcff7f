// The runtime API: addresses of the driver's functions.
#include "vgpu/cudart/client/client.h"

// Of the driver API, which only the drop-in library has: elsewhere it is null.
extern "C" __attribute__((weak, visibility("default"))) int cuGetProcAddress_v2(const char* name, void** address,
                                                                                int version, std::uint64_t flags,
                                                                                int* found);

namespace cudalabs::vgpu::client {
namespace {

cudaError_t give_entry_point(const char* symbol, void** function, unsigned int version, unsigned long long flags,
                             cudaDriverEntryPointQueryResult* result) {
  if (symbol == nullptr || function == nullptr || flags > cudaEnablePerThreadDefaultStream)
    return cudaErrorInvalidValue;
  *function = nullptr;
  if (cuGetProcAddress_v2 == nullptr) return cudaErrorNotSupported;
  const bool per_thread =
      flags == cudaEnablePerThreadDefaultStream || (flags == cudaEnableDefault && default_stream() != nullptr);
  int found = cudaDriverEntryPointSymbolNotFound;
  cuGetProcAddress_v2(symbol, function, static_cast<int>(version),
                      per_thread ? cudaEnablePerThreadDefaultStream : cudaEnableLegacyStream, &found);
  if (result != nullptr) *result = static_cast<cudaDriverEntryPointQueryResult>(found);
  return cudaSuccess;
}

}  // namespace

CUDALABS_API cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                                 cudaDriverEntryPointQueryResult* result) {
  return answer_here(wire::call("cudaGetDriverEntryPoint"), call_site(),
                     [&](Client&) { return give_entry_point(symbol, function, CUDART_VERSION, flags, result); });
}

CUDALABS_API cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned int version,
                                                          unsigned long long flags,
                                                          cudaDriverEntryPointQueryResult* result) {
  return answer_here(wire::call("cudaGetDriverEntryPointByVersion"), call_site(),
                     [&](Client&) { return give_entry_point(symbol, function, version, flags, result); });
}

}  // namespace cudalabs::vgpu::client
