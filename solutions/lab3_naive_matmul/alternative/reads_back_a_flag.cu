// EXPECT: full marks
// The kernel counts the elements that are not finite, and the host reads the count to warn of them.
#include "matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int p, int* odd) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && col < p) {
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * p + col];
    c[row * p + col] = sum;
    if (!isfinite(sum)) atomicAdd(odd, 1);
  }
}

bool failed(cudaError_t error) {
  if (error != cudaSuccess) std::fprintf(stderr, "matmul: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  int odd = 0;
  int* d_odd = nullptr;
  if (failed(cudaMalloc(&d_odd, sizeof odd))) return;
  failed(cudaMemcpy(d_odd, &odd, sizeof odd, cudaMemcpyHostToDevice));
  const dim3 block(16, 16);
  const dim3 grid((p + block.x - 1) / block.x, (m + block.y - 1) / block.y);
  matmul_kernel<<<grid, block>>>(d_a, d_b, d_c, m, n, p, d_odd);
  failed(cudaGetLastError());
  failed(cudaMemcpy(&odd, d_odd, sizeof odd, cudaMemcpyDeviceToHost));
  if (odd != 0) std::fprintf(stderr, "matmul: %d elements are not finite\n", odd);
  failed(cudaFree(d_odd));
}
