// EXPECT: score < max [edges, degenerate]
// FIRST: result-mismatch at `tile_a[ty][tx] = a[row`
// The tiles are zeroed once, before the first phase: the places outside the matrix keep values of the phase before.
#include "tiled_matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

constexpr int TILE = 16;

__global__ void tiled_matmul_kernel(const float* a, const float* b, float* c, int m, int n, int p) {
  __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
  float sum = 0.0f;
  const int phases = (n + TILE - 1) / TILE;
  tile_a[ty][tx] = tile_b[ty][tx] = 0.0f;
  for (int t = 0; t < phases; ++t) {
    const int k_a = t * TILE + tx, k_b = t * TILE + ty;
    if (row < m && k_a < n) tile_a[ty][tx] = a[row * n + k_a];  // wrong: else 0
    if (k_b < n && col < p) tile_b[ty][tx] = b[k_b * p + col];  // wrong: else 0
    __syncthreads();
    for (int k = 0; k < TILE; ++k) sum += tile_a[ty][k] * tile_b[k][tx];
    __syncthreads();
  }
  if (row < m && col < p) c[row * p + col] = sum;
}

void tiled_matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const dim3 block(TILE, TILE);
  const dim3 grid((p + TILE - 1) / TILE, (m + TILE - 1) / TILE);
  tiled_matmul_kernel<<<grid, block>>>(d_a, d_b, d_c, m, n, p);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "tiled_matmul: %s\n", cudaGetErrorString(error));
}
