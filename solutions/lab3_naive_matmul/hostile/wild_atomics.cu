// EXPECT: global-out-of-bounds, host-pointer-dereference, null-pointer-dereference
// AT MOST: 5 points
// attack: atomics at absurd addresses (row 48)
#include <cuda_runtime.h>
#include <cstdio>
#include "matmul.h"

__global__ void wild(float* c) {
  const unsigned long long addresses[] = {0,
                                          8,
                                          0xffffffffffffffffull,
                                          0x7fffffffffffull,
                                          0x8000000000000000ull,
                                          1ull << 47,
                                          (1ull << 24) - 4,
                                          0x1000000ull,
                                          0xfffffffffffffffcull};
  atomicAdd(reinterpret_cast<unsigned*>(addresses[threadIdx.x % 9]), 1u);
  atomicCAS(reinterpret_cast<unsigned long long*>(addresses[threadIdx.x % 9]), 0ull, ~0ull);
  atomicAdd(c + (1ull << 60), 1.0f);
}

__global__ void product(const float* a, const float* b, float* c, int m, int n, int p) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= p) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * p + col];
  c[row * p + col] = sum;
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  wild<<<1, 32>>>(d_c);
  product<<<dim3((p + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(d_a, d_b, d_c, m, n, p);
  if (cudaGetLastError() != cudaSuccess) std::fputs("matmul: not launched\n", stderr);
}
