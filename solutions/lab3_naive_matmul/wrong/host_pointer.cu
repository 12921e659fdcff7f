// EXPECT: host-pointer-dereference
// FIRST: host-pointer-dereference at `const int m = sizes[0], n = sizes[1], p = sizes[2];`
// The sizes are passed as a pointer to an array of the host.
#include "matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

__global__ void matmul_kernel(const float* a, const float* b, float* c, const int* sizes) {
  const int m = sizes[0], n = sizes[1], p = sizes[2];  // wrong: this memory is on the host
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
  const int sizes[3] = {m, n, p};
  matmul_kernel<<<grid, block>>>(d_a, d_b, d_c, sizes);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "matmul: %s\n", cudaGetErrorString(error));
}
