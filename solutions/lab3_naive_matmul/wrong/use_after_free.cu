// EXPECT: use-after-free
// FIRST: use-after-free at `for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * p + col];`
// A copy of A is freed before the kernel that reads it is launched.
#include "matmul.h"

#include <cuda_runtime.h>

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
  const dim3 block(16, 16);
  const dim3 grid((p + block.x - 1) / block.x, (m + block.y - 1) / block.y);
  const std::size_t bytes = sizeof(float) * m * n;
  float* copy = nullptr;
  cudaMalloc(&copy, bytes);
  cudaMemcpy(copy, d_a, bytes, cudaMemcpyDeviceToDevice);
  cudaFree(copy);  // wrong: before the launch
  matmul_kernel<<<grid, block>>>(copy, d_b, d_c, m, n, p);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "matmul: %s\n", cudaGetErrorString(error));
}
