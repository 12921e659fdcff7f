// EXPECT: barrier-divergence
// FIRST: barrier-divergence at `__syncthreads();  // not for all threads`
// Threads outside C go on to the next phase, past the second barrier.
#include "tiled_matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

constexpr int TILE = 16;  // TILE × TILE threads compute TILE × TILE elements of C

// A is m×n, B is n×p, C is m×p, all row-major. In each phase the block loads a tile of A and a tile of B, one value of
// each a thread, and every value is then used TILE times out of shared memory.
__global__ void tiled_matmul_kernel(const float* a, const float* b, float* c, int m, int n, int p) {
  __shared__ float tile_a[TILE][TILE];
  __shared__ float tile_b[TILE][TILE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty;
  const int col = blockIdx.x * TILE + tx;
  float sum = 0.0f;

  const int phases = (n + TILE - 1) / TILE;
  for (int t = 0; t < phases; ++t) {
    // Places outside the matrix hold 0, which adds nothing. Threads outside C take part too.
    const int k_a = t * TILE + tx;
    const int k_b = t * TILE + ty;
    tile_a[ty][tx] = row < m && k_a < n ? a[row * n + k_a] : 0.0f;
    tile_b[ty][tx] = k_b < n && col < p ? b[k_b * p + col] : 0.0f;
    __syncthreads();  // nobody reads before everybody has written

    if (row >= m || col >= p) continue;  // wrong: only the products are to be left out
    for (int k = 0; k < TILE; ++k) sum += tile_a[ty][k] * tile_b[k][tx];
    __syncthreads();  // not for all threads
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
