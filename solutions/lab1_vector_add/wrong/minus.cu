// EXPECT: score < max [whole_blocks, any_size, large]
// FIRST: result-mismatch at `a[i] - b[i]`
// The difference instead of the sum.
#include "vector_add.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>

constexpr int BLOCK = 256;

__global__ void vector_add_kernel(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] - b[i];  // wrong: +
}

bool worked(cudaError_t error, const char* what) {
  if (error != cudaSuccess) std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  return error == cudaSuccess;
}

void vector_add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const std::size_t bytes = n * sizeof(float);
  float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
  if (worked(cudaMalloc(&d_a, bytes), "allocating a") && worked(cudaMalloc(&d_b, bytes), "allocating b") &&
      worked(cudaMalloc(&d_c, bytes), "allocating c") &&
      worked(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice), "copying a") &&
      worked(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice), "copying b")) {
    vector_add_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_a, d_b, d_c, n);
    if (worked(cudaGetLastError(), "launching")) worked(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost), "copying c");
  }
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
}
