// EXPECT: score < max [degenerate, edges, rectangular, tile_multiple]
// FIRST: result-mismatch at `float sum = 0.0f;`
// A block walks over several tiles, and takes the sum of one along to the next.
#include "tiled_matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

constexpr int TILE = 16;

__global__ void tiled_matmul_kernel(const float* a, const float* b, float* c, int m, int n, int p) {
  __shared__ float tile_a[TILE][TILE + 1], tile_b[TILE][TILE + 1];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int across = (p + TILE - 1) / TILE, down = (m + TILE - 1) / TILE;
  float sum = 0.0f;  // wrong: once for all tiles; each of them needs it, inside the loop
  for (int tile = across * down - 1 - blockIdx.x; tile >= 0; tile -= gridDim.x) {
    const int row = tile / across * TILE + ty, col = tile % across * TILE + tx;
    for (int t = (n - 1) / TILE; t >= 0; --t) {
      const int k_a = t * TILE + tx, k_b = t * TILE + ty;
      tile_a[ty][tx] = row < m && k_a < n ? a[row * n + k_a] : 0.0f;
      tile_b[ty][tx] = k_b < n && col < p ? b[k_b * p + col] : 0.0f;
      __syncthreads();
      for (int k = 0; k < TILE; ++k) sum += tile_a[ty][k] * tile_b[k][tx];
      __syncthreads();
    }
    if (row < m && col < p) c[row * p + col] = sum;
  }
}

void tiled_matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const dim3 block(TILE, TILE);
  tiled_matmul_kernel<<<5, block>>>(d_a, d_b, d_c, m, n, p);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "tiled_matmul: %s\n", cudaGetErrorString(error));
}
