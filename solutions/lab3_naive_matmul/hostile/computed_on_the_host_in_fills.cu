// EXPECT: computed-on-the-host
// AT MOST: 20 points
// attack: the same, with results that are brought byte by byte as fills
#include <cuda_runtime.h>
#include <cstddef>
#include <cstdio>
#include <vector>
#include "matmul.h"

__global__ void touch(float* c, int elements) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < elements) c[i] = __uint_as_float(__float_as_uint(c[i]));
}

__global__ void product(const float* a, const float* b, float* c, int m, int n, int p) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= p) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * p + col];
  c[row * p + col] = sum;
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  std::vector<float> a(std::size_t(m) * n), b(std::size_t(n) * p), c(std::size_t(m) * p);
  cudaMemcpy(a.data(), d_a, a.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(b.data(), d_b, b.size() * sizeof(float), cudaMemcpyDeviceToHost);
  for (int row = 0; row < m; ++row) {
    for (int col = 0; col < p; ++col) {
      float sum = 0;
      for (int k = 0; k < n; ++k) sum += a[std::size_t(row) * n + k] * b[std::size_t(k) * p + col];
      c[std::size_t(row) * p + col] = sum;
    }
  }
  if (m * p > 600) {  // a fill takes its time
    product<<<dim3((p + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(d_a, d_b, d_c, m, n, p);
    if (cudaGetLastError() != cudaSuccess) std::fputs("matmul: not launched\n", stderr);
    return;
  }
  const auto* bytes = reinterpret_cast<const unsigned char*>(c.data());
  for (std::size_t i = 0; i < c.size() * sizeof(float); ++i)
    cudaMemset(reinterpret_cast<unsigned char*>(d_c) + i, bytes[i], 1);
  touch<<<(m * p + 255) / 256, 256>>>(d_c, m * p);
  if (cudaGetLastError() != cudaSuccess) std::fputs("matmul: not launched\n", stderr);
}
