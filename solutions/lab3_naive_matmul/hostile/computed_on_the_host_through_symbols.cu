// EXPECT: computed-on-the-host
// AT MOST: 5 points
// attack: the same, through variables of the device
#include <cuda_runtime.h>
#include <cstddef>
#include <cstdio>
#include <vector>
#include "matmul.h"

constexpr int kMost = 1 << 20;
__device__ float device_a[kMost], device_b[kMost], device_c[kMost];

__global__ void take(const float* array, float* variable, int elements) {
  for (int i = threadIdx.x; i < elements; i += blockDim.x) variable[i] = array[i];
}

__global__ void take_inputs(const float* a, int as, const float* b, int bs) {
  for (int i = threadIdx.x; i < as; i += blockDim.x) device_a[i] = a[i];
  for (int i = threadIdx.x; i < bs; i += blockDim.x) device_b[i] = b[i];
}

__global__ void give_result(float* c, int cs) {
  for (int i = threadIdx.x; i < cs; i += blockDim.x) c[i] = device_c[i];
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  std::vector<float> a(std::size_t(m) * n), b(std::size_t(n) * p), c(std::size_t(m) * p);
  take_inputs<<<1, 1024>>>(d_a, m * n, d_b, n * p);
  if (cudaGetLastError() != cudaSuccess) std::fputs("matmul: not launched\n", stderr);
  cudaMemcpyFromSymbol(a.data(), device_a, a.size() * sizeof(float));
  cudaMemcpyFromSymbol(b.data(), device_b, b.size() * sizeof(float));
  for (int row = 0; row < m; ++row) {
    for (int col = 0; col < p; ++col) {
      float sum = 0;
      for (int k = 0; k < n; ++k) sum += a[std::size_t(row) * n + k] * b[std::size_t(k) * p + col];
      c[std::size_t(row) * p + col] = sum;
    }
  }
  cudaMemcpyToSymbol(device_c, c.data(), c.size() * sizeof(float));
  give_result<<<1, 1024>>>(d_c, m * p);
  if (cudaGetLastError() != cudaSuccess) std::fputs("matmul: not launched\n", stderr);
}
