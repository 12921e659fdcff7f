// EXPECT: global-out-of-bounds
// FIRST: global-out-of-bounds beside `(int)((row << 16) | col)`
// Row and column are packed into one signed int, 16 bits each; from row 32,768 the row comes out negative, and from
// column 65,536 the two mix. Addresses before C and A.
#include "matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

using Place = int;

__device__ Place pack(long long row, long long col) {
  return (int)((row << 16) | col);  // wrong: two ints
}
__device__ long long row_of(Place at) {
  return at >> 16;
}
__device__ long long col_of(Place at) {
  return at & 0xffff;
}

__device__ float element(const float* a, const float* b, Place at, long long n, long long p) {
  float s = 0.0f;
  for (long long k = 0; k < n; ++k) s += a[row_of(at) * n + k] * b[k * p + col_of(at)];
  return s;
}

__global__ void packed(const float* a, const float* b, float* c, long long m, long long n, long long p) {
  const long long col = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  long long row = (long long)blockIdx.y * blockDim.y + threadIdx.y;
  for (; row < m && col < p; row += (long long)gridDim.y * blockDim.y) {
    const Place at = pack(row, col);
    c[row_of(at) * p + col_of(at)] = element(a, b, at, n, p);
  }
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const unsigned high = (unsigned)(m - 1) / 8 + 1;
  packed<<<dim3((unsigned)(p - 1) / 32 + 1, high > 65535 ? 65535 : high), dim3(32, 8)>>>(d_a, d_b, d_c, m, n, p);
  const cudaError_t e = cudaGetLastError();
  if (e != cudaSuccess) std::fprintf(stderr, "packed: %s\n", cudaGetErrorString(e));
}
