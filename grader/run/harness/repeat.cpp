// Makes launches as often as a measurement asks for. The linker leads a submission's calls
// here (--wrap) when it is built for a real GPU; elsewhere nothing here is ever called.
#include <cuda_runtime_api.h>

#include <cstddef>

#include "run/harness/measurement.h"

extern "C" {

__attribute__((weak)) cudaError_t __real_cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                                          std::size_t shared, cudaStream_t stream);
// What nvcc 13 calls for <<<>>>; its first argument is a handle.
__attribute__((weak)) cudaError_t __real___cudaLaunchKernel(void* kernel, dim3 grid, dim3 block, void** arguments,
                                                            std::size_t shared, cudaStream_t stream);
__attribute__((weak)) cudaError_t __real_cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                                                             void** arguments);
__attribute__((weak)) cudaError_t __real_cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                                                     void** arguments, std::size_t shared,
                                                                     cudaStream_t stream);
__attribute__((visibility("default"))) cudaError_t __wrap_cudaLaunchKernel(const void* function, dim3 grid, dim3 block,
                                                                           void** arguments, std::size_t shared,
                                                                           cudaStream_t stream) {
  cudaError_t error = cudaSuccess;
  for (unsigned i = 0; i < cudalabs::harness::g_launch_repeats && error == cudaSuccess; ++i) {
    error = __real_cudaLaunchKernel(function, grid, block, arguments, shared, stream);
  }
  return error;
}

__attribute__((visibility("default"))) cudaError_t __wrap___cudaLaunchKernel(void* kernel, dim3 grid, dim3 block,
                                                                             void** arguments, std::size_t shared,
                                                                             cudaStream_t stream) {
  cudaError_t error = cudaSuccess;
  for (unsigned i = 0; i < cudalabs::harness::g_launch_repeats && error == cudaSuccess; ++i) {
    error = __real___cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
  }
  return error;
}

__attribute__((visibility("default"))) cudaError_t __wrap_cudaLaunchKernelExC(const cudaLaunchConfig_t* config,
                                                                              const void* function, void** arguments) {
  cudaError_t error = cudaSuccess;
  for (unsigned i = 0; i < cudalabs::harness::g_launch_repeats && error == cudaSuccess; ++i) {
    error = __real_cudaLaunchKernelExC(config, function, arguments);
  }
  return error;
}

__attribute__((visibility("default"))) cudaError_t __wrap_cudaLaunchCooperativeKernel(const void* function, dim3 grid,
                                                                                      dim3 block, void** arguments,
                                                                                      std::size_t shared,
                                                                                      cudaStream_t stream) {
  cudaError_t error = cudaSuccess;
  for (unsigned i = 0; i < cudalabs::harness::g_launch_repeats && error == cudaSuccess; ++i) {
    error = __real_cudaLaunchCooperativeKernel(function, grid, block, arguments, shared, stream);
  }
  return error;
}
}
