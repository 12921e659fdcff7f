// EXPECT: wrong-when-timed
// FIRST: wrong-when-timed
// The number of blocks is rounded up in float, which has 24 bits: for n = 16777217 = 2^24 + 1 (and others beyond
// 2^24) the last elements have no block.
#include "vector_add.h"

#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

__global__ void vector_add_kernel(const float* a, const float* b, float* c, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    c[i] = a[i] + b[i];
  }
}

static bool worked(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return true;
  fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  cudaGetLastError();
  return false;
}

void vector_add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  constexpr int BLOCK = 256;
  const int blocks =
      static_cast<int>(std::ceil(static_cast<float>(n) / BLOCK));  // wrong: (n + BLOCK - 1) / BLOCK, in integers
  const size_t bytes = static_cast<size_t>(n) * sizeof(float);
  float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
  if (worked(cudaMalloc(&d_a, bytes), "cudaMalloc a") && worked(cudaMalloc(&d_b, bytes), "cudaMalloc b") &&
      worked(cudaMalloc(&d_c, bytes), "cudaMalloc c") &&
      worked(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice), "cudaMemcpy a") &&
      worked(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice), "cudaMemcpy b")) {
    vector_add_kernel<<<blocks, BLOCK>>>(d_a, d_b, d_c, n);
    if (worked(cudaGetLastError(), "launch")) {
      worked(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy c");
    }
  }
  worked(cudaFree(d_a), "cudaFree a");
  worked(cudaFree(d_b), "cudaFree b");
  worked(cudaFree(d_c), "cudaFree c");
}
