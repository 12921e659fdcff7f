// EXPECT: unwritten-output
// FIRST: unwritten-output beside `const int grid = (m * n + block - 1) / block;`
// There are blocks for the elements of A, and C has more of them where it is wider.
#include "matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int p) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m * p) return;  // no barrier follows, so nobody waits for this thread
  const int row = i / p, col = i % p;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * p + col];
  c[i] = sum;
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const int block = 192;
  const int grid = (m * n + block - 1) / block;  // wrong: m * p
  matmul_kernel<<<grid, block>>>(d_a, d_b, d_c, m, n, p);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "matmul: %s\n", cudaGetErrorString(error));
}
