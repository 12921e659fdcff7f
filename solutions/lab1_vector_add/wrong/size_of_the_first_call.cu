// EXPECT: unwritten-output
// ON CUDA: result-mismatch, unwritten-output
// FIRST: unwritten-output at `static bool is_set`
// The number of elements is copied to constant memory at the first call only: at the second it is the first one's.
#include "vector_add.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>

constexpr int BLOCK = 256;

__constant__ int length;

__global__ void vector_add_kernel(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (i < length) c[i] = a[i] + b[i];
}

bool worked(cudaError_t error, const char* what) {
  if (error != cudaSuccess) std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  return error == cudaSuccess;
}

bool set_length(int n) {
  static bool is_set = false;  // wrong: set it at every call
  if (is_set) return true;
  is_set = worked(cudaMemcpyToSymbol(length, &n, sizeof n), "setting the length");
  return is_set;
}

void vector_add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const std::size_t bytes = n * sizeof(float);
  float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
  if (worked(cudaMalloc(&d_a, bytes), "allocating a") && worked(cudaMalloc(&d_b, bytes), "allocating b") &&
      worked(cudaMalloc(&d_c, bytes), "allocating c") &&
      worked(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice), "copying a") &&
      worked(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice), "copying b") && set_length(n)) {
    vector_add_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_a, d_b, d_c, n);
    if (worked(cudaGetLastError(), "launching")) worked(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost), "copying c");
  }
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
}
