// EXPECT: score < max [coalesced_speedup]
// ON CUDA: failed-when-timed
// FIRST: check coalesced_speedup
// One thread computes everything, as a processor would.
#include "matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int p) {
  for (int row = 0; row < m; ++row) {
    for (int col = 0; col < p; ++col) {
      float sum = 0.0f;
      for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * p + col];
      c[row * p + col] = sum;
    }
  }
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  matmul_kernel<<<1, 1>>>(d_a, d_b, d_c, m, n, p);  // wrong: one thread of one block
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "matmul: %s\n", cudaGetErrorString(error));
}
