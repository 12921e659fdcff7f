// EXPECT: build-failed
// AT MOST: 5 points
// attack: assembly that says it comes from a file of the machine (row 6)
#include <cuda_runtime.h>
#include <cstdio>
#include "matmul.h"

#define QUOTED(x) "\"" x "\""
__global__ void wild(float* c) {
  asm volatile(".file 99 " QUOTED(
      CUDALABS_CANARY) "\n.loc 99 1 1\nst.global.u32 [%0], 1;\n.loc 4294967295 4294967295 4294967295" ::"l"(c +
                                                                                                            (1 << 30)));
}

__global__ void product(const float* a, const float* b, float* c, int m, int n, int p) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= p) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * p + col];
  c[row * p + col] = sum;
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  wild<<<1, 1>>>(d_c);
  product<<<dim3((p + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(d_a, d_b, d_c, m, n, p);
  if (cudaGetLastError() != cudaSuccess) std::fputs("matmul: not launched\n", stderr);
}
