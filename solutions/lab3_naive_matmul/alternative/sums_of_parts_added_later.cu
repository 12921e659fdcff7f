// EXPECT: full marks
// Cuts the inner dimension into parts: one kernel writes a layer of sums for each part, a second one adds the layers.
// How often the inner loop goes round takes a division and a minimum to compute.
#include "matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

constexpr int kParts = 4;

// Layer z of `layers`, m×p elements each, gets the sums over part z of the inner dimension.
__global__ void sums_of_part(const float* a, const float* b, float* layers, long long m, long long n, long long p) {
  const long long col = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const long long row = static_cast<long long>(blockIdx.y) * blockDim.y + threadIdx.y;
  if (row >= m || col >= p) return;
  const long long length = (n + gridDim.z - 1) / gridDim.z;
  const long long begin = min(blockIdx.z * length, n), end = min(begin + length, n);
  float sum = 0.0f;
  for (long long k = begin; k < end; ++k) sum += a[row * n + k] * b[k * p + col];
  layers[(blockIdx.z * m + row) * p + col] = sum;
}

__global__ void add_layers(const float* layers, float* c, long long count) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float sum = 0.0f;
  for (int part = 0; part < kParts; ++part) sum += layers[part * count + i];
  c[i] = sum;
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const long long count = static_cast<long long>(m) * p;
  float* layers = nullptr;
  cudaError_t status = cudaMalloc(&layers, kParts * count * sizeof(float));
  if (status == cudaSuccess) {
    const dim3 block(32, 8);
    const dim3 grid((p + block.x - 1) / block.x, (m + block.y - 1) / block.y, kParts);
    sums_of_part<<<grid, block>>>(d_a, d_b, layers, m, n, p);
    status = cudaGetLastError();
    if (status == cudaSuccess) {
      add_layers<<<(count + 255) / 256, 256>>>(layers, d_c, count);
      status = cudaGetLastError();
    }
    const cudaError_t freed = cudaFree(layers);  // waits for both kernels
    if (status == cudaSuccess) status = freed;
  }
  if (status != cudaSuccess) fprintf(stderr, "matmul: %s\n", cudaGetErrorString(status));
}
