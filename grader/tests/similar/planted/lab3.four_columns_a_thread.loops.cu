// Copy of alternative/four_columns_a_thread.cu: its loops are written in other ways.
#include "matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

constexpr int kWidth = 4;

__global__ void matmul_kernel(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int m,
                              int n, int p) {
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  const int start = blockIdx.x * blockDim.x * kWidth + threadIdx.x;
  if (r < m) {
    float total[kWidth] = {};
    int k = 0;
    while (k < n) {
      const float left = a[r * n + k];
      int i = 0;
      while (i < kWidth) {
        const int column = start + i * blockDim.x;
        if (column < p) total[i] += left * b[k * p + column];
        i++;
      }
      k++;
    }
    int i = 0;
    do {
      const int column = start + i * blockDim.x;
      if (column < p) c[r * p + column] = total[i];
    } while (++i < kWidth);
  }
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  dim3 block(32, 8), grid;
  grid.x = (p + block.x * kWidth - 1) / (block.x * kWidth);
  grid.y = (m + block.y - 1) / block.y;
  matmul_kernel<<<grid, block>>>(d_a, d_b, d_c, m, n, p);
  cudaError_t e = cudaGetLastError();
  if (e != cudaSuccess) {
    std::fprintf(stderr, "matmul: %s\n", cudaGetErrorString(e));
  }
}
