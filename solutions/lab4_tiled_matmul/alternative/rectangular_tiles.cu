// EXPECT: score < max [tile_speedup]
// Tiles of 32×8 and 8×16, each loaded by as many threads as it takes, in a block of one dimension.
#include "tiled_matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

constexpr int ROWS = 32, INNER = 8, COLUMNS = 16, THREADS = ROWS * COLUMNS;

__global__ void tiled_matmul_kernel(const float* a, const float* b, float* c, int m, int n, int p) {
  __shared__ float tile_a[ROWS * INNER], tile_b[INNER * COLUMNS];
  const int first_row = blockIdx.y * ROWS, first_col = blockIdx.x * COLUMNS;
  const int my_row = threadIdx.x / COLUMNS, my_col = threadIdx.x % COLUMNS;
  float sum = 0.0f;
  for (int first = 0; first < n; first += INNER) {
    for (int i = threadIdx.x; i < ROWS * INNER; i += THREADS) {
      const int row = first_row + i / INNER, k = first + i % INNER;
      tile_a[i] = row < m && k < n ? a[row * n + k] : 0.0f;
    }
    for (int i = threadIdx.x; i < INNER * COLUMNS; i += THREADS) {
      const int k = first + i / COLUMNS, col = first_col + i % COLUMNS;
      tile_b[i] = k < n && col < p ? b[k * p + col] : 0.0f;
    }
    __syncthreads();
    for (int k = 0; k < INNER; ++k) sum += tile_a[my_row * INNER + k] * tile_b[k * COLUMNS + my_col];
    __syncthreads();
  }
  const int row = first_row + my_row, col = first_col + my_col;
  if (row < m && col < p) c[row * p + col] = sum;
}

void tiled_matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const dim3 grid((p + COLUMNS - 1) / COLUMNS, (m + ROWS - 1) / ROWS);
  tiled_matmul_kernel<<<grid, THREADS>>>(d_a, d_b, d_c, m, n, p);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "tiled_matmul: %s\n", cudaGetErrorString(error));
}
