// EXPECT: full marks
// A grid that does not depend on m.
#include "matvec.h"

#include <cuda_runtime.h>

#include <cstdio>

__global__ void matvec_kernel(const float* a, const float* x, float* y, int m, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  for (; row < m; row += gridDim.x * blockDim.x) {
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * x[k];
    y[row] = sum;
  }
}

void matvec(const float* d_a, const float* d_x, float* d_y, int m, int n) {
  constexpr int kBlock = 128;
  matvec_kernel<<<4, kBlock>>>(d_a, d_x, d_y, m, n);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "matvec: %s\n", cudaGetErrorString(error));
}
