// EXPECT: computed-on-the-host
// FIRST: computed-on-the-host at `cudaMemcpy(d_product, c.data(), bytes, cudaMemcpyHostToDevice);`
// DIFFERS: the whole product is computed on the host
#include "tiled_matmul.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <vector>

constexpr int TILE = 16;

// wrong: only copies through shared memory what the host has computed
__global__ void copy_kernel(const float* product, float* c, int m, int p) {
  __shared__ float tile[TILE][TILE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty;
  const int col = blockIdx.x * TILE + tx;
  tile[ty][tx] = row < m && col < p ? product[row * p + col] : 0.0f;
  __syncthreads();
  if (row < m && col < p) c[row * p + col] = tile[ty][tx];
}

void tiled_matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  std::vector<float> a(m * n), b(n * p), c(m * p);
  cudaMemcpy(a.data(), d_a, a.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(b.data(), d_b, b.size() * sizeof(float), cudaMemcpyDeviceToHost);
  for (int row = 0; row < m; ++row) {
    for (int col = 0; col < p; ++col) {
      float sum = 0.0f;
      for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * p + col];
      c[row * p + col] = sum;
    }
  }
  const std::size_t bytes = c.size() * sizeof(float);
  float* d_product = nullptr;
  if (cudaMalloc(&d_product, bytes) != cudaSuccess) return;
  cudaMemcpy(d_product, c.data(), bytes, cudaMemcpyHostToDevice);
  const dim3 block(TILE, TILE);
  const dim3 grid((p + TILE - 1) / TILE, (m + TILE - 1) / TILE);
  copy_kernel<<<grid, block>>>(d_product, d_c, m, p);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "tiled_matmul: %s\n", cudaGetErrorString(error));
  cudaFree(d_product);
}
