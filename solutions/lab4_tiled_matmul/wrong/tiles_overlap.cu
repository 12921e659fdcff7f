// EXPECT: shared-race
// FIRST: shared-race at `float* const tile_b = tile_a + blockDim.y;`
// The second tile begins behind the first row of the first tile, and not behind its last one.
#include "tiled_matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

__global__ void tiled_matmul_kernel(const float* a, const float* b, float* c, int m, int n, int p) {
  extern __shared__ float tile_a[];
  float* const tile_b = tile_a + blockDim.y;  // wrong: blockDim.x * blockDim.y
  const int side = blockDim.x, here = threadIdx.y * side + threadIdx.x;
  const int row = blockIdx.y * side + threadIdx.y, col = blockIdx.x * side + threadIdx.x;
  float sum = 0.0f;
  for (int first = 0; first < n; first += side) {
    const int a_col = first + threadIdx.x, b_row = first + threadIdx.y;
    tile_a[here] = row < m && a_col < n ? a[row * n + a_col] : 0.0f;
    tile_b[here] = b_row < n && col < p ? b[b_row * p + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < side; ++k) sum += tile_a[threadIdx.y * side + k] * tile_b[k * side + threadIdx.x];
    __syncthreads();
  }
  if (row < m && col < p) c[row * p + col] = sum;
}

void tiled_matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  constexpr int kSide = 16;
  const dim3 grid((p + kSide - 1) / kSide, (m + kSide - 1) / kSide), block(kSide, kSide);
  tiled_matmul_kernel<<<grid, block, 2 * kSide * kSide * sizeof(float)>>>(d_a, d_b, d_c, m, n, p);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "tiled_matmul: %s\n", cudaGetErrorString(error));
}
