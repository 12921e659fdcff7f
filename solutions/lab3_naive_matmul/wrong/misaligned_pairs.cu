// EXPECT: misaligned-access
// FIRST: misaligned-access at `const int2 bits = as_pair(*reinterpret_cast<const long long*>(&a[row * n + k]));`
// A is read two values at a time, as one word of 8 bytes, which must lie at a multiple of 8 bytes: fine while n is
// even.
#include "matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

__device__ int2 as_pair(long long word) {
  return make_int2(static_cast<int>(word), static_cast<int>(word >> 32));
}

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int p) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && col < p) {
    float sum = 0.0f;
    int k = 0;
    for (; k + 1 < n; k += 2) {
      const int2 bits = as_pair(*reinterpret_cast<const long long*>(&a[row * n + k]));  // wrong: odd n, odd row
      sum += __int_as_float(bits.x) * b[k * p + col] + __int_as_float(bits.y) * b[(k + 1) * p + col];
    }
    if (k < n) sum += a[row * n + k] * b[k * p + col];
    c[row * p + col] = sum;
  }
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const dim3 block(16, 16);
  const dim3 grid((p + block.x - 1) / block.x, (m + block.y - 1) / block.y);
  matmul_kernel<<<grid, block>>>(d_a, d_b, d_c, m, n, p);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "matmul: %s\n", cudaGetErrorString(error));
}
