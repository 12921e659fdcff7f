// EXPECT: full marks
// BY NVCC: score < max [tile_speedup]
// The product loop stops where the matrix does, so that the last tile needs no zeros beyond it.
#include "tiled_matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

constexpr int TILE = 16;

__global__ void tiled_matmul_kernel(const float* a, const float* b, float* c, int m, int n, int p) {
  __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
  const bool inside = row < m && col < p;
  float sum = 0.0f;
  for (int first = 0; first < n; first += TILE) {
    const int length = min(TILE, n - first);
    if (row < m && tx < length) tile_a[ty][tx] = a[row * n + first + tx];
    if (ty < length && col < p) tile_b[ty][tx] = b[(first + ty) * p + col];
    __syncthreads();
    for (int k = 0; inside && k < length; ++k) sum += tile_a[ty][k] * tile_b[k][tx];
    __syncthreads();
  }
  if (inside) c[row * p + col] = sum;
}

void tiled_matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const dim3 block(TILE, TILE);
  const dim3 grid((p + TILE - 1) / TILE, (m + TILE - 1) / TILE);
  tiled_matmul_kernel<<<grid, block>>>(d_a, d_b, d_c, m, n, p);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "tiled_matmul: %s\n", cudaGetErrorString(error));
}
