// EXPECT: score < max [coalesced_speedup]
// A warp computes an element together: each lane sums every 32nd term, and shuffles add the lanes up.
#include "matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int p) {
  const int element = blockIdx.x * blockDim.y + threadIdx.y;  // the same for all lanes of a warp
  if (element >= m * p) return;
  const int row = element / p, col = element % p;
  float sum = 0.0f;
  for (int k = threadIdx.x; k < n; k += warpSize) sum += a[row * n + k] * b[k * p + col];
  for (int offset = warpSize / 2; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (threadIdx.x == 0) c[element] = sum;
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const dim3 block(32, 8);
  const dim3 grid((m * p + block.y - 1) / block.y);
  matmul_kernel<<<grid, block>>>(d_a, d_b, d_c, m, n, p);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "matmul: %s\n", cudaGetErrorString(error));
}
