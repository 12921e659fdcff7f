// EXPECT: score < max [launch_checked]
// FIRST: unchecked-launch at `std::fprintf(stderr, "matmul: %s\n", cudaGetErrorString(cudaGetLastError()));`
// The message about a launch that failed says "no error".
#include "matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int p) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && col < p) {  // threads beyond an edge have nothing to do
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * p + col];
    c[row * p + col] = sum;
  }
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const dim3 block(16, 16);
  const dim3 grid((p + block.x - 1) / block.x, (m + block.y - 1) / block.y);  // rounded up
  matmul_kernel<<<grid, block>>>(d_a, d_b, d_c, m, n, p);
  // wrong: the first call clears the error; keep it, cudaError_t error = cudaGetLastError()
  if (cudaGetLastError() != cudaSuccess) {
    std::fprintf(stderr, "matmul: %s\n", cudaGetErrorString(cudaGetLastError()));
  }
}
