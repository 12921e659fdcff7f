// EXPECT: build-failed
// AT MOST: 0 points
// attack: variables of the device of four gigabytes, and of constant memory (row 49)
#include <cuda_runtime.h>
#include <cstdio>
#include "matmul.h"

__device__ char big[1ull << 32];
__device__ char another[1ull << 40];
__global__ void store(int i) {
  big[i] = another[i] = 1;
}

__global__ void product(const float* a, const float* b, float* c, int m, int n, int p) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= p) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * p + col];
  c[row * p + col] = sum;
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  store<<<1, 1>>>(m);
  product<<<dim3((p + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(d_a, d_b, d_c, m, n, p);
  if (cudaGetLastError() != cudaSuccess) std::fputs("matmul: not launched\n", stderr);
}
