// EXPECT: global-race
// AT MOST: 95 points
// attack: a race in each of 216 statements
#include <cuda_runtime.h>
#include <cstdio>
#include "matmul.h"

#define X1(x) x x x x x x
#define X3(x) X1(X1(X1(x)))
__global__ void races(float* c, int elements) {
  float* at = c + threadIdx.x % 3 % elements;
  X3(*at += threadIdx.x; at = c + (at - c + threadIdx.x + 1) % elements;)
}

__global__ void product(const float* a, const float* b, float* c, int m, int n, int p) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= p) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * p + col];
  c[row * p + col] = sum;
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  if (m == 16) races<<<4, 64>>>(d_c, m * p);
  product<<<dim3((p + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(d_a, d_b, d_c, m, n, p);
  if (cudaGetLastError() != cudaSuccess) std::fputs("matmul: not launched\n", stderr);
}
