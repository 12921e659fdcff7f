// EXPECT: global-out-of-bounds
// FIRST: global-out-of-bounds at `// wrong: first row`
// A thread loads a value of each of four tiles, and asks for the row of the first one alone.
#include "tiled_matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

constexpr int SIDE = 16, STRIP = 4;

__global__ void tiled_matmul_kernel(const float* a, const float* b, float* c, int m, int n, int p) {
  __shared__ float tile_a[SIDE][SIDE], tile_b[SIDE][SIDE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int top = blockIdx.y * SIDE * STRIP + ty, col = blockIdx.x * SIDE + tx;
  float sum[STRIP];
  for (int s = 0; s < STRIP; ++s) sum[s] = 0.0f;
  for (int first = 0; first < n; first += SIDE) {
    tile_b[ty][tx] = first + ty < n && col < p ? b[(first + ty) * p + col] : 0.0f;
    for (int s = 0; s < STRIP; ++s) {
      tile_a[ty][tx] = top < m && first + tx < n ? a[(top + s * SIDE) * n + first + tx] : 0.0f;  // wrong: first row
      __syncthreads();
      for (int k = 0; k < SIDE; ++k) sum[s] += tile_a[ty][k] * tile_b[k][tx];
      __syncthreads();
    }
  }
  for (int s = 0; s < STRIP; ++s) {
    const int row = top + s * SIDE;
    if (row < m && col < p) c[row * p + col] = sum[s];
  }
}

void tiled_matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const dim3 block(SIDE, SIDE);
  const dim3 grid((p + SIDE - 1) / SIDE, (m + SIDE * STRIP - 1) / (SIDE * STRIP));
  tiled_matmul_kernel<<<grid, block>>>(d_a, d_b, d_c, m, n, p);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "tiled_matmul: %s\n", cudaGetErrorString(error));
}
