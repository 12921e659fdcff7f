// The runtime API's function names as numbers on the wire; one list for client, server and report.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cudalabs::vgpu::wire {

// clang-format off
inline constexpr const char* kCallNames[] = {
    "", "cudaChooseDevice", "cudaDeviceCanAccessPeer", "cudaDeviceDisablePeerAccess", "cudaDeviceEnablePeerAccess",
    "cudaDeviceGetAttribute", "cudaDeviceGetByPCIBusId", "cudaDeviceGetCacheConfig", "cudaDeviceGetLimit",
    "cudaDeviceGetPCIBusId", "cudaDeviceGetStreamPriorityRange", "cudaDeviceReset", "cudaDeviceSetCacheConfig",
    "cudaDeviceSetLimit", "cudaDeviceSynchronize", "cudaDriverGetVersion", "cudaEventCreate", "cudaEventCreateWithFlags",
    "cudaEventDestroy", "cudaEventElapsedTime", "cudaEventQuery", "cudaEventRecord", "cudaEventRecordWithFlags",
    "cudaEventSynchronize", "cudaFree", "cudaFreeAsync", "cudaFreeHost", "cudaFuncGetAttributes", "cudaFuncGetName",
    "cudaFuncSetAttribute", "cudaFuncSetCacheConfig", "cudaGetDevice", "cudaGetDeviceCount", "cudaGetDeviceFlags",
    "cudaGetDeviceProperties", "cudaGetLastError", "cudaGetSymbolAddress", "cudaGetSymbolSize", "cudaHostAlloc",
    "cudaHostGetDevicePointer", "cudaHostGetFlags", "cudaHostRegister", "cudaHostUnregister", "cudaInitDevice",
    "cudaLaunchCooperativeKernel", "cudaLaunchHostFunc", "cudaLaunchKernel", "cudaMalloc", "cudaMallocAsync",
    "cudaMallocHost", "cudaMallocManaged", "cudaMallocPitch", "cudaMemGetInfo", "cudaMemcpy", "cudaMemcpy2D",
    "cudaMemcpy2DAsync", "cudaMemcpyAsync", "cudaMemcpyFromSymbol", "cudaMemcpyFromSymbolAsync", "cudaMemcpyPeer",
    "cudaMemcpyPeerAsync", "cudaMemcpyToSymbol", "cudaMemcpyToSymbolAsync", "cudaMemset", "cudaMemset2D",
    "cudaMemset2DAsync", "cudaMemsetAsync", "cudaOccupancyAvailableDynamicSMemPerBlock",
    "cudaOccupancyMaxActiveBlocksPerMultiprocessor", "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
    "cudaPeekAtLastError", "cudaPointerGetAttributes", "cudaProfilerStart", "cudaProfilerStop", "cudaRuntimeGetVersion",
    "cudaSetDevice", "cudaSetDeviceFlags", "cudaSetValidDevices", "cudaStreamAddCallback", "cudaStreamCreate",
    "cudaStreamCreateWithFlags", "cudaStreamCreateWithPriority", "cudaStreamDestroy", "cudaStreamGetFlags",
    "cudaStreamGetPriority", "cudaStreamQuery", "cudaStreamSynchronize", "cudaStreamWaitEvent",
};
// clang-format on
inline constexpr std::size_t kCallCount = sizeof(kCallNames) / sizeof(kCallNames[0]);

std::uint16_t no_such_api_function();  // not constexpr and nowhere defined: reaching it ends the compilation

/// The number of an API function; a name that is not in the list does not compile.
consteval std::uint16_t call(const char* name) {
  for (std::size_t i = 0; i < kCallCount; ++i) {
    const char* a = kCallNames[i];
    const char* b = name;
    while (*a && *a == *b) ++a, ++b;
    if (*a == *b) return static_cast<std::uint16_t>(i);
  }
  return no_such_api_function();
}

}  // namespace cudalabs::vgpu::wire
