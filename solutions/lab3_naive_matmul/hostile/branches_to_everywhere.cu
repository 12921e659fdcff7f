// EXPECT: time-budget
// AT MOST: 5 points
// OR: timed-out
// attack: assembly with 2^24 edges between its blocks (row 10)
#include <cuda_runtime.h>
#include <cstdio>
#include "matmul.h"

#define LABEL(n) "A" #n ": mov.u32 %0, %0;\n"
#define TARGET(n) ", A" #n
#define BRANCH(n)          \
  "brx.idx %0, targets;\n" \
  "B" #n ": mov.u32 %0, %0;\n"
#define D1(f, n) f(n##0) f(n##1) f(n##2) f(n##3) f(n##4) f(n##5) f(n##6) f(n##7)
#define D2(f, n) D1(f, n##0) D1(f, n##1) D1(f, n##2) D1(f, n##3) D1(f, n##4) D1(f, n##5) D1(f, n##6) D1(f, n##7)
#define E1(f, n) D2(f, n##0) D2(f, n##1) D2(f, n##2) D2(f, n##3) D2(f, n##4) D2(f, n##5) D2(f, n##6) D2(f, n##7)
#define E2(f, n) E1(f, n##0) E1(f, n##1) E1(f, n##2) E1(f, n##3) E1(f, n##4) E1(f, n##5) E1(f, n##6) E1(f, n##7)
__global__ void everywhere(unsigned x) {
  asm volatile("{\n" E2(LABEL, _) "targets: .branchtargets A_0000" E2(TARGET, _) ";\n" E2(BRANCH, _) "}" : "+r"(x));
}

__global__ void product(const float* a, const float* b, float* c, int m, int n, int p) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= p) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * p + col];
  c[row * p + col] = sum;
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  everywhere<<<1, 1>>>(0);
  product<<<dim3((p + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(d_a, d_b, d_c, m, n, p);
  if (cudaGetLastError() != cudaSuccess) std::fputs("matmul: not launched\n", stderr);
}
