// EXPECT: uninitialized-read
// FIRST: uninitialized-read at `sum += tile_a`
// Two buffers, filled by the primitives of cuda_pipeline.h, but nothing waits for the last copies.
#include "tiled_matmul.h"

#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cstdio>

constexpr int TILE = 16;

// Copies an element into a tile, or a zero where the matrix has none; `from` must then only be an address to name.
__device__ void fetch(float* to, const float* from, bool inside) {
  __pipeline_memcpy_async(to, from, sizeof(float), inside ? 0 : sizeof(float));
}

__global__ void tiled_matmul_kernel(const float* a, const float* b, float* c, int m, int n, int p) {
  __shared__ float tile_a[2][TILE][TILE], tile_b[2][TILE][TILE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
  const int phases = (n + TILE - 1) / TILE;
  float sum = 0.0f;
  for (int t = 0; t <= phases; ++t) {
    if (t < phases) {
      const int k_a = t * TILE + tx, k_b = t * TILE + ty, fill = t % 2;
      const bool in_a = row < m && k_a < n, in_b = k_b < n && col < p;
      fetch(&tile_a[fill][ty][tx], in_a ? a + row * n + k_a : a, in_a);
      fetch(&tile_b[fill][ty][tx], in_b ? b + k_b * p + col : b, in_b);
    }
    if (t < phases) __pipeline_commit();
    if (t == 0) continue;
    __pipeline_wait_prior(1);  // wrong: in the last round the newest group is the one that is used next; 0 then
    __syncthreads();           // and so have the parts that other threads copied
    const int use = (t - 1) % 2;
    for (int k = 0; k < TILE; ++k) sum += tile_a[use][ty][k] * tile_b[use][k][tx];
    __syncthreads();  // nobody reads this buffer any more: the next round fills it
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
