// EXPECT: score < max [coalesced_speedup]
// Rows are counted along x and columns along y, in the kernel and in the grid alike: slow on a real GPU, and right.
#include "matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int p) {
  // snippet: place
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int col = blockIdx.y * blockDim.y + threadIdx.y;
  // end snippet
  if (row < m && col < p) {
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * p + col];
    c[row * p + col] = sum;
  }
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const dim3 block(16, 16);
  const dim3 grid((m + block.x - 1) / block.x, (p + block.y - 1) / block.y);
  matmul_kernel<<<grid, block>>>(d_a, d_b, d_c, m, n, p);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "matmul: %s\n", cudaGetErrorString(error));
}
