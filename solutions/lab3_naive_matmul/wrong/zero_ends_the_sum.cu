// EXPECT: result-mismatch
// FIRST: result-mismatch at `if (x == 0.0f) break`
// A zero ends the sum instead of leaving out one product.
#include "matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

__global__ void sparse_aware(const float* a, const float* b, float* c, long long m, long long n, long long p) {
  const long long col = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= p) return;
  for (long long row = (long long)blockIdx.y * blockDim.y + threadIdx.y; row < m;
       row += (long long)gridDim.y * blockDim.y) {
    float sum = 0.0f;
    for (long long k = 0; k < n; ++k) {
      const float x = a[row * n + k];
      if (x == 0.0f) break;  // wrong: continue
      sum += x * b[k * p + col];
    }
    c[row * p + col] = sum;
  }
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const int high = (m - 1) / 8 + 1;
  sparse_aware<<<dim3((p - 1) / 32 + 1, high < 65535 ? high : 65535), dim3(32, 8)>>>(d_a, d_b, d_c, m, n, p);
  const cudaError_t e = cudaGetLastError();
  if (e != cudaSuccess) std::fprintf(stderr, "sparse_aware: %s\n", cudaGetErrorString(e));
}
