// Copy of alternative/four_columns_a_thread.cu: cut into functions.
#include "matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

namespace {

constexpr int kColumns = 4;

__device__ int column_of(int first, int which) {
  return first + which * blockDim.x;
}

__device__ void add_products(float* sums, float factor, const float* row_of_b, int first, int p) {
  for (int i = 0; i < kColumns; ++i) {
    const int col = column_of(first, i);
    if (col < p) sums[i] += factor * row_of_b[col];
  }
}

__device__ void store(float* row_of_c, const float* sums, int first, int p) {
  for (int i = 0; i < kColumns; ++i) {
    const int col = column_of(first, i);
    if (col < p) row_of_c[col] = sums[i];
  }
}

int rounded_up(int size, int part) {
  return (size + part - 1) / part;
}

}  // namespace

__global__ void matmul_kernel(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int m,
                              int n, int p) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int first = blockIdx.x * blockDim.x * kColumns + threadIdx.x;
  if (row >= m) return;
  float sums[kColumns] = {};
  for (int k = 0; k < n; ++k) add_products(sums, a[row * n + k], b + k * p, first, p);
  store(c + row * p, sums, first, p);
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const dim3 block(32, 8);
  matmul_kernel<<<dim3(rounded_up(p, block.x * kColumns), rounded_up(m, block.y)), block>>>(d_a, d_b, d_c, m, n, p);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "matmul: %s\n", cudaGetErrorString(error));
}
