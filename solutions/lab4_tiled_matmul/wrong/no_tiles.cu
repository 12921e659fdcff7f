// EXPECT: score < max [reuse, tile_speedup]
// FIRST: check reuse
// Right, but each thread fetches all its operands from global memory itself: lab 3 under another name.
#include "tiled_matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

constexpr int TILE = 16;

__global__ void tiled_matmul_kernel(const float* a, const float* b, float* c, int m, int n, int p) {
  const int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
  if (row < m && col < p) {
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * p + col];  // wrong: no value is shared
    c[row * p + col] = sum;
  }
}

void tiled_matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const dim3 block(TILE, TILE);
  const dim3 grid((p + TILE - 1) / TILE, (m + TILE - 1) / TILE);
  tiled_matmul_kernel<<<grid, block>>>(d_a, d_b, d_c, m, n, p);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "tiled_matmul: %s\n", cudaGetErrorString(error));
}
