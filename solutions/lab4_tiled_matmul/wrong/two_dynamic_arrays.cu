// EXPECT: score < max [tile_multiple, rectangular, edges, degenerate]
// FIRST: result-mismatch at `extern __shared__ float tile_b[];`
// Two arrays whose size the launch gives: both begin at the same place.
#include "tiled_matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

extern __shared__ float tile_a[];
extern __shared__ float tile_b[];  // wrong: a pointer to the elements behind those of tile_a

__global__ void tiled_matmul_kernel(const float* a, const float* b, float* c, int m, int n, int p) {
  const int side = blockDim.x;
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * side + ty, col = blockIdx.x * side + tx;
  float sum = 0.0f;
  for (int first = 0; first < n; first += side) {
    tile_a[ty * side + tx] = row < m && first + tx < n ? a[row * n + first + tx] : 0.0f;
    tile_b[ty * side + tx] = first + ty < n && col < p ? b[(first + ty) * p + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < side; ++k) sum += tile_a[ty * side + k] * tile_b[k * side + tx];
    __syncthreads();
  }
  if (row < m && col < p) c[row * p + col] = sum;
}

void tiled_matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const int side = m > 64 ? 32 : 8;
  const dim3 block(side, side);
  const dim3 grid((p + side - 1) / side, (m + side - 1) / side);
  const std::size_t shared = 2 * sizeof(float) * side * side;
  tiled_matmul_kernel<<<grid, block, shared>>>(d_a, d_b, d_c, m, n, p);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "tiled_matmul: %s\n", cudaGetErrorString(error));
}
