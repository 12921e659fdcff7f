// EXPECT: full marks
// Each thread computes four elements of a row, a block's width apart.
#include "matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

constexpr int kColumns = 4;

__global__ void matmul_kernel(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int m,
                              int n, int p) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int first = blockIdx.x * blockDim.x * kColumns + threadIdx.x;
  if (row >= m) return;
  float sum[kColumns] = {};
  for (int k = 0; k < n; ++k) {
    const float factor = a[row * n + k];
    for (int i = 0; i < kColumns; ++i) {
      const int col = first + i * blockDim.x;
      if (col < p) sum[i] += factor * b[k * p + col];
    }
  }
  for (int i = 0; i < kColumns; ++i) {
    const int col = first + i * blockDim.x;
    if (col < p) c[row * p + col] = sum[i];
  }
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const dim3 block(32, 8);
  const dim3 grid((p + block.x * kColumns - 1) / (block.x * kColumns), (m + block.y - 1) / block.y);
  matmul_kernel<<<grid, block>>>(d_a, d_b, d_c, m, n, p);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "matmul: %s\n", cudaGetErrorString(error));
}
