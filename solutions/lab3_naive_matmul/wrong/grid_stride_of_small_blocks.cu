// EXPECT: score < max [coalesced_speedup]
// ON CUDA: score < max [coalesced_speedup, host_speedup]
// FIRST: check coalesced_speedup
// Two warps for every other multiprocessor walk over all of C: right for every size, and most of the GPU is idle.
#include "matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int p) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < m * p; i += stride) {
    const int row = i / p, col = i % p;
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * p + col];
    c[i] = sum;
  }
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  matmul_kernel<<<20, 64>>>(d_a, d_b, d_c, m, n, p);  // wrong: 40 warps for a GPU that executes 160 at a time
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "matmul: %s\n", cudaGetErrorString(error));
}
