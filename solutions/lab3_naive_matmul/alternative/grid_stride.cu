// EXPECT: score < max [coalesced_speedup]
// ON CUDA: score < max [coalesced_speedup, host_speedup]
// A small grid of fixed size whose threads walk over C in both directions.
#include "matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int p) {
  for (int row = blockIdx.y * blockDim.y + threadIdx.y; row < m; row += gridDim.y * blockDim.y) {
    for (int col = blockIdx.x * blockDim.x + threadIdx.x; col < p; col += gridDim.x * blockDim.x) {
      float sum = 0.0f;
      for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * p + col];
      c[row * p + col] = sum;
    }
  }
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const dim3 block(32, 4);
  const dim3 grid(2, 3);
  matmul_kernel<<<grid, block>>>(d_a, d_b, d_c, m, n, p);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "matmul: %s\n", cudaGetErrorString(error));
}
