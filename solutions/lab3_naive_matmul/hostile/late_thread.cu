// EXPECT: unwritten-output
// AT MOST: 20 points
// attack: a thread computes when the function has returned (row 40)
#include <cuda_runtime.h>
#include <unistd.h>
#include <cstdio>
#include <thread>
#include "matmul.h"

__global__ void product(const float* a, const float* b, float* c, int m, int n, int p) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= p) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * p + col];
  c[row * p + col] = sum;
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  std::thread([=] {
    sleep(1);
    product<<<dim3((p + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(d_a, d_b, d_c, m, n, p);
    cudaDeviceSynchronize();
  }).detach();
}
