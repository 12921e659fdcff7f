// EXPECT: computed-on-the-host
// AT MOST: 5 points
// attack: the same, with a kernel that does nothing
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>
#include "matmul.h"

__global__ void nothing() {}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  std::vector<float> a(std::size_t(m) * n), b(std::size_t(n) * p), c(std::size_t(m) * p);
  cudaMemcpy(a.data(), d_a, a.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(b.data(), d_b, b.size() * sizeof(float), cudaMemcpyDeviceToHost);
  for (int row = 0; row < m; ++row) {
    for (int col = 0; col < p; ++col) {
      float sum = 0;
      for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * p + col];
      c[row * p + col] = sum;
    }
  }
  nothing<<<1, 1>>>();
  if (cudaGetLastError() != cudaSuccess) std::puts("no");
  if (cudaMemcpy(d_c, c.data(), c.size() * sizeof(float), cudaMemcpyHostToDevice) != cudaSuccess) std::puts("no");
}
