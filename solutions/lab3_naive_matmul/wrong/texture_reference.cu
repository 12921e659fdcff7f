// EXPECT: unsupported-call
// FIRST: unsupported-call at `texture<float, 1, cudaReadModeElementType> matrix_a;`
#include "matmul.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>

texture<float, 1, cudaReadModeElementType> matrix_a;  // wrong: right is a pointer that the kernel gets

__global__ void matmul_kernel(const float* b, float* c, int m, int n, int p) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && col < p) {
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) sum += tex1Dfetch(matrix_a, row * n + k) * b[k * p + col];
    c[row * p + col] = sum;
  }
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  cudaBindTexture(nullptr, matrix_a, d_a, static_cast<std::size_t>(m) * n * sizeof(float));
  const dim3 block(16, 16);
  const dim3 grid((p + block.x - 1) / block.x, (m + block.y - 1) / block.y);
  matmul_kernel<<<grid, block>>>(d_b, d_c, m, n, p);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "matmul: %s\n", cudaGetErrorString(error));
}
