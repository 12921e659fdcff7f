// EXPECT: invalid-launch, unwritten-output
// FIRST: invalid-launch at `matmul_kernel<<<grid, block>>>(d_a, d_b, d_c, m, n, p);`
// The division drops the remainder before ceil() sees it: the last partial block is missing, and a small matrix gets no
// block at all.
#include "matmul.h"

#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int p) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && col < p) {
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * p + col];
    c[row * p + col] = sum;
  }
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  // snippet: grid
  const dim3 block(16, 16);
  const dim3 grid(std::ceil(p / block.x), std::ceil(m / block.y));  // wrong: / of integers
  // end snippet
  matmul_kernel<<<grid, block>>>(d_a, d_b, d_c, m, n, p);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "matmul: %s\n", cudaGetErrorString(error));
}
