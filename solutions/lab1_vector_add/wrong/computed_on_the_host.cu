// EXPECT: computed-on-the-host
// FIRST: computed-on-the-host at `c[i] = a[i] + b[i];  // wrong`
#include "vector_add.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>

constexpr int BLOCK = 256;

__global__ void vector_add_kernel(const float* a, const float* b, float* c, int n) {}  // wrong: nothing is added here

bool worked(cudaError_t error, const char* what) {
  if (error != cudaSuccess) std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  return error == cudaSuccess;
}

void vector_add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const std::size_t bytes = n * sizeof(float);
  float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
  bool good = worked(cudaMalloc(&d_a, bytes), "allocating a");
  good = good && worked(cudaMalloc(&d_b, bytes), "allocating b");
  good = good && worked(cudaMalloc(&d_c, bytes), "allocating c");
  good = good && worked(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice), "copying a");
  good = good && worked(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice), "copying b");
  if (good) {
    vector_add_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_a, d_b, d_c, n);
    good = worked(cudaGetLastError(), "launching");
  }
  if (good) {
    for (int i = 0; i < n; ++i) c[i] = a[i] + b[i];  // wrong: right is to copy d_c, which the kernel has filled
  }
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
}
