// EXPECT: unwritten-output
// FIRST: unwritten-output at `const int half = m / 2;`
// Two launches do half of the rows each, and an odd number of rows has one more.
#include "matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

// A is m×n, B is n×p, C is m×p, all row-major. Neighbouring threads along x compute neighbouring columns, so that a
// warp reads a stretch of B's row k at once, and one value of A that all its lanes share.
__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int p) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && col < p) {  // threads beyond an edge have nothing to do
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * p + col];
    c[row * p + col] = sum;
  }
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const dim3 block(16, 16);
  const dim3 grid((p + block.x - 1) / block.x, (m + block.y - 1) / block.y);  // rounded up
  const int half = m / 2;  // wrong: drops the last of an odd number of rows; (m + 1) / 2 for one of the two
  for (int part = 0; part < 2; ++part)
    matmul_kernel<<<grid, block>>>(d_a + part * half * n, d_b, d_c + part * half * p, half, n, p);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "matmul: %s\n", cudaGetErrorString(error));
}
