// EXPECT: score < max [coalesced_speedup]
// ON CUDA: score < max [coalesced_speedup, host_speedup]
// FIRST: check coalesced_speedup
// One block walks over all of C: right for every size, and all but one multiprocessor are idle.
#include "matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int p) {
  for (int row = threadIdx.y; row < m; row += gridDim.y * blockDim.y) {
    for (int col = threadIdx.x; col < p; col += gridDim.x * blockDim.x) {
      float sum = 0.0f;
      for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * p + col];
      c[row * p + col] = sum;
    }
  }
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  matmul_kernel<<<1, dim3(32, 32)>>>(d_a, d_b, d_c, m, n, p);  // wrong: a grid of one block, whatever the size
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "matmul: %s\n", cudaGetErrorString(error));
}
