// EXPECT: uninitialized-read
// FIRST: uninitialized-read at `i += blockDim.x * TILE)`
// The loop that fills the second tile goes on where that of the first one has ended, and does nothing.
#include "tiled_matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

constexpr int TILE = 16;  // TILE × TILE threads compute TILE × TILE elements of C

// 0 outside of the matrix.
__device__ float element(const float* x, int rows, int columns, int row, int col) {
  return row < rows && col < columns ? x[row * columns + col] : 0.0f;
}

__global__ void tiled_matmul_kernel(const float* a, const float* b, float* c, int m, int n, int p) {
  __shared__ float tile_a[TILE][TILE];
  __shared__ float tile_b[TILE][TILE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int first_row = blockIdx.y * TILE, first_col = blockIdx.x * TILE;
  const int row = first_row + ty, col = first_col + tx;
  float sum = 0.0f;

  const int phases = (n + TILE - 1) / TILE;
  for (int t = 0; t < phases; ++t) {
    int i = ty * TILE + tx;
    for (; i < TILE * TILE; i += TILE * TILE)
      tile_a[i / TILE][i % TILE] = element(a, m, n, first_row + i / TILE, t * TILE + i % TILE);
    // wrong: i = ty * TILE + tx once more
    for (; i < TILE * TILE; i += blockDim.x * TILE)
      tile_b[i / TILE][i % TILE] = element(b, n, p, t * TILE + i / TILE, first_col + i % TILE);
    __syncthreads();  // nobody reads before everybody has written

    for (int k = 0; k < TILE; ++k) sum += tile_a[ty][k] * tile_b[k][tx];
    __syncthreads();  // no thread overwrites what another still reads
  }

  if (row < m && col < p) c[row * p + col] = sum;
}

void tiled_matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const dim3 block(TILE, TILE);
  const dim3 grid((p + TILE - 1) / TILE, (m + TILE - 1) / TILE);  // rounded up, in integers
  tiled_matmul_kernel<<<grid, block>>>(d_a, d_b, d_c, m, n, p);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "tiled_matmul: %s\n", cudaGetErrorString(error));
}
