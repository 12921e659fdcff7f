// EXPECT: assertion-failed
// AT MOST: 20 points
// attack: escapes, and a mebibyte, in what a failed assertion says (row 16)
#include <cuda_runtime.h>
#include <cstdio>
#include "matmul.h"

#undef NDEBUG
#include <cassert>
#define X1(x) x x x x x x x x
#define X2(x) X1(X1(x))
#define X3(x) X2(X2(x))
__global__ void fail() {
  __assert_fail("\033[2J\033]0;title\007 %n%s%s \xe2\x80\xae" X3("<script>"), "\033[2J/etc/passwd", 4000000000u,
                "\"\n::error::");
}

__global__ void product(const float* a, const float* b, float* c, int m, int n, int p) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= p) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * p + col];
  c[row * p + col] = sum;
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  fail<<<1, 32>>>();
  cudaDeviceSynchronize();
  product<<<dim3((p + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(d_a, d_b, d_c, m, n, p);
  if (cudaGetLastError() != cudaSuccess) std::fputs("matmul: not launched\n", stderr);
}
