// EXPECT: global-out-of-bounds
// FIRST: global-out-of-bounds at `for (int k = 0; k < n; ++k) sum += a[row * n + k] * x[k];`
// The guard lets one row too many through.
#include "matvec.h"

#include <cuda_runtime.h>

#include <cstdio>

__global__ void matvec_kernel(const float* a, const float* x, float* y, int m, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row <= m) {  // wrong: <
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * x[k];
    y[row] = sum;
  }
}

void matvec(const float* d_a, const float* d_x, float* d_y, int m, int n) {
  constexpr int kBlock = 128;
  matvec_kernel<<<(m + kBlock - 1) / kBlock, kBlock>>>(d_a, d_x, d_y, m, n);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "matvec: %s\n", cudaGetErrorString(error));
}
