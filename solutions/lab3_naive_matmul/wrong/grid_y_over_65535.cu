// EXPECT: invalid-launch
// FIRST: invalid-launch beside `// wrong: rows along x`
// One block row for each row of C, but gridDim.y may be at most 65,535: for larger m the launch fails (reported) and
// nothing is computed.
#include "matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

__global__ void one_row_a_block(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n,
                                int p) {
  const size_t row = blockIdx.y;
  const size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= (size_t)p) return;
  float sum = 0.0f;
  for (size_t k = 0; k < (size_t)n; ++k) sum += a[row * n + k] * b[k * p + col];
  c[row * p + col] = sum;
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  dim3 block(256);
  dim3 grid((unsigned)(p - 1) / 256 + 1, (unsigned)m);  // wrong: rows along x, or blocks of several rows
  one_row_a_block<<<grid, block>>>(d_a, d_b, d_c, n, p);
  cudaError_t err = cudaGetLastError();
  if (err != cudaSuccess) fprintf(stderr, "CUDA error: %s\n", cudaGetErrorString(err));
}
