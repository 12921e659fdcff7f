// EXPECT: score < max [launch_checked]
// FIRST: unchecked-launch at `const cudaError_t error = cudaGetLastError();`
// The error of the launch is stored in a variable of the inner block, and the one of its name around it is looked at.
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
  cudaError_t error = cudaSuccess;
  const dim3 block(16, 16);
  const dim3 grid((p + block.x - 1) / block.x, (m + block.y - 1) / block.y);  // rounded up
  if (grid.x > 0 && grid.y > 0) {
    matmul_kernel<<<grid, block>>>(d_a, d_b, d_c, m, n, p);
    const cudaError_t error = cudaGetLastError();  // wrong: without the type
  }
  if (error != cudaSuccess) std::fprintf(stderr, "matmul: %s\n", cudaGetErrorString(error));
}
