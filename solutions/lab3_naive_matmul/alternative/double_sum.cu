// EXPECT: score < max [coalesced_speedup]
// ON CUDA: full marks
// The sum is kept in double, in a template, and the blocks are a warp wide and 32 high. Small GPUs have few lanes for
// double precision, the T4 2 of 64.
#include "matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

template <typename Sum>
__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int p) {
  const unsigned row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= unsigned(m) || col >= unsigned(p)) return;
  Sum sum = 0;
  const float* down = b + col;
  for (const float* along = a + row * n; along != a + (row + 1) * n; ++along, down += p) sum += Sum(*along) * *down;
  c[row * p + col] = float(sum);
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const dim3 block(32, 32);
  const dim3 grid((p + block.x - 1) / block.x, (m + block.y - 1) / block.y);
  matmul_kernel<double><<<grid, block>>>(d_a, d_b, d_c, m, n, p);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "matmul: %s\n", cudaGetErrorString(error));
}
