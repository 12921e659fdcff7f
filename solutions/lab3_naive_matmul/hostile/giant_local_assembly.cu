// EXPECT: build-failed
// AT MOST: 0 points
// attack: local and shared memory of four gigabytes in a line of assembly (row 53)
#include <cuda_runtime.h>
#include <cstdio>
#include "matmul.h"

__global__ void many() {
  asm volatile("{ .local .align 8 .b8 big[4294967295]; .reg .b64 at; mov.u64 at, big; st.local.u32 [at], 1; }");
}
__global__ void shared() {
  asm volatile(
      "{ .shared .align 1073741824 .b8 wide[18446744073709551615]; .reg .b64 at; mov.u64 at, wide; st.shared.u32 [at], "
      "1; }");
}

__global__ void product(const float* a, const float* b, float* c, int m, int n, int p) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= p) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * p + col];
  c[row * p + col] = sum;
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  many<<<1, 1>>>();
  cudaGetLastError();
  shared<<<1, 1>>>();
  product<<<dim3((p + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(d_a, d_b, d_c, m, n, p);
  if (cudaGetLastError() != cudaSuccess) std::fputs("matmul: not launched\n", stderr);
}
