// EXPECT: full marks with global-race
// FIRST: global-race at `c[row * p + col] = sum`
// Blocks begin with the tile of their own index, and a counter that starts at 0 gives these tiles out once more.
#include "tiled_matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

constexpr int TILE = 16;

__device__ int next_tile;

__global__ void tiled_matmul_kernel(const float* a, const float* b, float* c, int m, int n, int p) {
  __shared__ float tile_a[TILE][TILE + 1], tile_b[TILE][TILE + 1];
  __shared__ int drawn;
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int across = (p + TILE - 1) / TILE, tiles = across * ((m + TILE - 1) / TILE);
  int tile = blockIdx.x;
  while (tile < tiles) {
    const int row = tile / across * TILE + ty, col = tile % across * TILE + tx;
    float sum = 0.0f;
    for (int t = 0; t < n; t += TILE) {
      tile_a[ty][tx] = row < m && t + tx < n ? a[row * n + t + tx] : 0.0f;
      tile_b[ty][tx] = t + ty < n && col < p ? b[(t + ty) * p + col] : 0.0f;
      __syncthreads();
      for (int k = 0; k < TILE; ++k) sum += tile_a[ty][k] * tile_b[k][tx];
      __syncthreads();
    }
    if (row < m && col < p) c[row * p + col] = sum;
    if (tx == 0 && ty == 0) drawn = atomicAdd(&next_tile, 1);
    __syncthreads();
    tile = drawn;
    __syncthreads();
  }
}

void tiled_matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  constexpr int kMostBlocks = 320;
  const int tiles = ((p + TILE - 1) / TILE) * ((m + TILE - 1) / TILE);
  const int blocks = tiles < kMostBlocks ? tiles : kMostBlocks;
  const int first = 0;  // and not `blocks`
  cudaError_t error = cudaMemcpyToSymbol(next_tile, &first, sizeof first);
  if (error == cudaSuccess) {
    tiled_matmul_kernel<<<blocks, dim3(TILE, TILE)>>>(d_a, d_b, d_c, m, n, p);
    error = cudaGetLastError();
  }
  if (error != cudaSuccess) std::fprintf(stderr, "tiled_matmul: %s\n", cudaGetErrorString(error));
}
