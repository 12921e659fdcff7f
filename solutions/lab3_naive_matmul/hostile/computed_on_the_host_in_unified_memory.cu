// EXPECT: computed-on-the-host
// AT MOST: 5 points
// attack: the same, in memory of both sides
#include <cuda_runtime.h>
#include <cstddef>
#include <cstdio>
#include "matmul.h"

__global__ void copy(const float* from, float* to, int elements) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < elements) to[i] = from[i];
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  float *a = nullptr, *b = nullptr, *c = nullptr;
  cudaMallocManaged(&a, std::size_t(m) * n * sizeof(float));
  cudaMallocManaged(&b, std::size_t(n) * p * sizeof(float));
  cudaMallocManaged(&c, std::size_t(m) * p * sizeof(float));
  copy<<<(m * n + 255) / 256, 256>>>(d_a, a, m * n);
  if (cudaGetLastError() != cudaSuccess) std::fputs("matmul: not launched\n", stderr);
  copy<<<(n * p + 255) / 256, 256>>>(d_b, b, n * p);
  if (cudaGetLastError() != cudaSuccess) std::fputs("matmul: not launched\n", stderr);
  cudaDeviceSynchronize();
  for (int row = 0; row < m; ++row) {
    for (int col = 0; col < p; ++col) {
      float sum = 0;
      for (int k = 0; k < n; ++k) sum += a[std::size_t(row) * n + k] * b[std::size_t(k) * p + col];
      c[std::size_t(row) * p + col] = sum;
    }
  }
  copy<<<(m * p + 255) / 256, 256>>>(c, d_c, m * p);
  if (cudaGetLastError() != cudaSuccess) std::fputs("matmul: not launched\n", stderr);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
