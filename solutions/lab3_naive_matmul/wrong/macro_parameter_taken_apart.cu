// EXPECT: result-mismatch
// FIRST: result-mismatch showing `#define AT(row, col, length)`
// The macro has no parentheses around its parameters: only a part of the row's number is multiplied.
#include "matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

// wrong: ((row) * (length) + (col))
#define AT(row, col, length) (row * length + col)

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int p) {
  const int first = blockIdx.y * blockDim.y;
  const int row = first + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && col < p) {
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) sum += a[AT(first + threadIdx.y, k, n)] * b[AT(k, col, p)];
    c[AT(row, col, p)] = sum;
  }
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const dim3 block(16, 16);
  const dim3 grid((p + block.x - 1) / block.x, (m + block.y - 1) / block.y);
  matmul_kernel<<<grid, block>>>(d_a, d_b, d_c, m, n, p);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "matmul: %s\n", cudaGetErrorString(error));
}
