// EXPECT: computed-on-the-host
// FIRST: computed-on-the-host at `cudaMemcpy(d_c, c.data(), c.size() * sizeof(float), cudaMemcpyHostToDevice);`
#include "matmul.h"

#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int p) {}  // wrong: does nothing

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const dim3 block(16, 16);
  const dim3 grid((p + block.x - 1) / block.x, (m + block.y - 1) / block.y);
  matmul_kernel<<<grid, block>>>(d_a, d_b, d_c, m, n, p);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "matmul: %s\n", cudaGetErrorString(error));

  std::vector<float> a(m * n), b(n * p), c(m * p);
  cudaMemcpy(a.data(), d_a, a.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(b.data(), d_b, b.size() * sizeof(float), cudaMemcpyDeviceToHost);
  for (int row = 0; row < m; ++row) {
    for (int col = 0; col < p; ++col) {
      float sum = 0.0f;
      for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * p + col];
      c[row * p + col] = sum;
    }
  }
  cudaMemcpy(d_c, c.data(), c.size() * sizeof(float), cudaMemcpyHostToDevice);  // wrong: the kernel writes d_c itself
}
