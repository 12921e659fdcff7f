// EXPECT: full marks
// attack: copies, fills and allocations of absurd sizes, pitches and kinds
#include <cuda_runtime.h>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include "matmul.h"

__global__ void product(const float* a, const float* b, float* c, int m, int n, int p) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= p) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * p + col];
  c[row * p + col] = sum;
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const std::size_t most = SIZE_MAX, half = SIZE_MAX / 2 + 1;
  void* memory = nullptr;
  std::size_t pitch = 0;
  for (const std::size_t size : {most, half, std::size_t(1) << 48, std::size_t(1) << 32}) {
    if (cudaMalloc(&memory, size) == cudaSuccess) cudaFree(memory);
    if (cudaMallocHost(&memory, size) == cudaSuccess) cudaFreeHost(memory);
    if (cudaMallocManaged(&memory, size) == cudaSuccess) cudaFree(memory);
    if (cudaMallocAsync(&memory, size, nullptr) == cudaSuccess) cudaFreeAsync(memory, nullptr);
    if (cudaMallocPitch(&memory, &pitch, size, size) == cudaSuccess) cudaFree(memory);
    if (cudaMallocPitch(&memory, &pitch, 1, size) == cudaSuccess) cudaFree(memory);
    cudaMemset(d_c, 1, size);
    cudaMemsetAsync(d_c, 1, size, nullptr);
    cudaMemset2D(d_c, size, 1, size, size);
    cudaMemset2D(d_c, 0, 1, size, 2);
    cudaMemset2D(d_c, size, 1, 1, size);
    for (const int kind : {2, 3, 5, -1, 1 << 30}) {
      const auto as = static_cast<cudaMemcpyKind>(kind);
      cudaMemcpy(d_c, d_a, size, as);
      cudaMemcpy2D(d_c, size, d_a, size, size, size, as);
      cudaMemcpy2D(d_c, 0, d_a, 0, 1, size, as);
      cudaMemcpy2D(d_c, size, d_a, 1, 1, 2, as);
      cudaMemcpy2DAsync(d_c, half, d_a, half, 4, 3, as, nullptr);
    }
  }
  cudaGetLastError();
  product<<<dim3((p + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(d_a, d_b, d_c, m, n, p);
  if (cudaGetLastError() != cudaSuccess) std::fputs("matmul: not launched\n", stderr);
}
