// EXPECT: barrier-divergence
// FIRST: barrier-divergence at `__syncthreads();  // not as often`
// The number of phases depends on the thread: those whose column lies beyond the inner dimension leave the loop, and
// its barriers, one trip early.
#include "tiled_matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

constexpr int TILE = 16;

__global__ void tiled_matmul_kernel(const float* a, const float* b, float* c, int m, int n, int p) {
  __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
  tile_a[ty][tx] = tile_b[ty][tx] = 0.0f;
  float sum = 0.0f;
  for (int k_a = tx; k_a < n; k_a += TILE) {  // wrong: the trips differ from thread to thread
    const int k_b = k_a - tx + ty;
    tile_a[ty][tx] = row < m ? a[row * n + k_a] : 0.0f;
    tile_b[ty][tx] = k_b < n && col < p ? b[k_b * p + col] : 0.0f;
    __syncthreads();  // not as often for every thread
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
