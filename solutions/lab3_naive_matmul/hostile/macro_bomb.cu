// EXPECT: build-failed
// AT MOST: 0 points
// attack: lets a few lines become 10^11 words (row 10)
#include <cuda_runtime.h>
#include <cstdio>
#include "matmul.h"

#define X0 x x x x x x x x x x
#define X1 X0 X0 X0 X0 X0 X0 X0 X0 X0 X0
#define X2 X1 X1 X1 X1 X1 X1 X1 X1 X1 X1
#define X3 X2 X2 X2 X2 X2 X2 X2 X2 X2 X2
#define X4 X3 X3 X3 X3 X3 X3 X3 X3 X3 X3
#define X5 X4 X4 X4 X4 X4 X4 X4 X4 X4 X4
#define X6 X5 X5 X5 X5 X5 X5 X5 X5 X5 X5
#define X7 X6 X6 X6 X6 X6 X6 X6 X6 X6 X6
#define X8 X7 X7 X7 X7 X7 X7 X7 X7 X7 X7
#define X9 X8 X8 X8 X8 X8 X8 X8 X8 X8 X8
#define X10 X9 X9 X9 X9 X9 X9 X9 X9 X9 X9
X10

    __global__ void
    product(const float* a, const float* b, float* c, int m, int n, int p) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= p) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * p + col];
  c[row * p + col] = sum;
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  product<<<dim3((p + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(d_a, d_b, d_c, m, n, p);
  if (cudaGetLastError() != cudaSuccess) std::fputs("matmul: not launched\n", stderr);
}
