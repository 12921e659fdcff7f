// EXPECT: unsupported-call
// FIRST: unsupported-call at `cuMemcpyDtoD((CUdeviceptr)d_out, (CUdeviceptr)d_in, n > 0 ? sizeof(float) : 0);`
// A copy is made through the driver API, which is not offered here.
#include "reduction.h"

#include <cuda.h>
#include <cuda_runtime.h>

void reduce_sum(const float* d_in, float* d_out, int n) {
  // wrong: cudaMemcpy, of the runtime API
  cuMemcpyDtoD((CUdeviceptr)d_out, (CUdeviceptr)d_in, n > 0 ? sizeof(float) : 0);
}

void array_sum(const int* d_in, int* d_out, int n) {
  cudaMemcpy(d_out, d_in, n > 0 ? sizeof(int) : 0, cudaMemcpyDeviceToDevice);
}
