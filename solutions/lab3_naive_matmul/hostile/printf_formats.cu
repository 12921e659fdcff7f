// EXPECT: full marks
// attack: formats without end, wild strings and escapes in the printf of a kernel (rows 16 and 52)
#include <cuda_runtime.h>
#include <cstdio>
#include "matmul.h"

__global__ void print(const float* a) {
  printf("%999999999d %*d %.*f %.999999999f\n", 1, 2147483647, 2, 2147483647, 3.0, 4.0);
  printf("%n %hhn %lln %s %s %p\n", a, a, a, reinterpret_cast<const char*>(a), reinterpret_cast<const char*>(8), a);
  printf("%s", reinterpret_cast<const char*>(0xffffffffffffff00));
  printf("%d %d %d %d %s %s %s\n");
  printf("\033[2J\033]0;title\007 \xe2\x80\xae %c %lc %ls %\n", 27, 27, L"\033");
  printf("%");
  printf("%-+ #0999.999lllllhhhzjtd%$1$2147483648$d\n", 1);
  printf(reinterpret_cast<const char*>(8));
}

__global__ void product(const float* a, const float* b, float* c, int m, int n, int p) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= p) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * p + col];
  c[row * p + col] = sum;
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  print<<<1, 32>>>(d_a);
  cudaDeviceSynchronize();
  product<<<dim3((p + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(d_a, d_b, d_c, m, n, p);
  if (cudaGetLastError() != cudaSuccess) std::fputs("matmul: not launched\n", stderr);
}
