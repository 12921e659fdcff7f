// EXPECT: shared-race
// FIRST: shared-race beside `const int k_a = t * TILE + tx, k_b = t * TILE + ty, use = t / 2 % 2;`
// Two buffers and one barrier a phase, but the buffer changes only in every second phase.
#include "tiled_matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

constexpr int TILE = 16;

__global__ void tiled_matmul_kernel(const float* a, const float* b, float* c, int m, int n, int p) {
  __shared__ float tile_a[2][TILE][TILE], tile_b[2][TILE][TILE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
  float sum = 0.0f;
  const int phases = (n + TILE - 1) / TILE;
  for (int t = 0; t < phases; ++t) {
    const int k_a = t * TILE + tx, k_b = t * TILE + ty, use = t / 2 % 2;  // wrong: should be t % 2
    tile_a[use][ty][tx] = row < m && k_a < n ? a[row * n + k_a] : 0.0f;
    tile_b[use][ty][tx] = k_b < n && col < p ? b[k_b * p + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < TILE; ++k) sum += tile_a[use][ty][k] * tile_b[use][k][tx];
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
