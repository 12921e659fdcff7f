// EXPECT: result-mismatch
// FIRST: result-mismatch at `int acc = 0;`
// The sum is kept in an int, which drops what is behind the point, product by product.
#include "matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

#define BS 16

__global__ void mm(const float* A, const float* B, float* C, int m, int n, int p) {
  int r = blockIdx.y * blockDim.y + threadIdx.y;
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= m || c >= p) return;
  int acc = 0;  // wrong: a float
  for (int k = 0; k < n; k++) {
    acc += A[r * n + k] * B[k * p + c];
  }
  C[r * p + c] = acc;
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  dim3 threads(BS, BS);
  dim3 blocks((p + BS - 1) / BS, (m + BS - 1) / BS);
  mm<<<blocks, threads>>>(d_a, d_b, d_c, m, n, p);
  cudaError_t err = cudaGetLastError();
  if (err != cudaSuccess) fprintf(stderr, "matmul failed: %s\n", cudaGetErrorString(err));
}
