// EXPECT: runtime-error
// FIRST: runtime-error beside `cudaMalloc(&d, bytes)`
// A function gets the pointers by value, and what it allocates is lost.
#include "vector_add.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>

constexpr int BLOCK = 256;  // threads of a block
__global__ void vector_add_kernel(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

bool worked(cudaError_t error, const char* what) {
  if (error != cudaSuccess) std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  return error == cudaSuccess;
}

// wrong: the pointer is a copy; take it by reference, float*& d
bool allocated(float* d, std::size_t bytes) {
  return worked(cudaMalloc(&d, bytes), "allocating");
}

void vector_add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;  // a grid of 0 blocks is an error
  const std::size_t bytes = n * sizeof(float);
  float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
  bool good = allocated(d_a, bytes);
  good = good && allocated(d_b, bytes);
  good = good && allocated(d_c, bytes);
  good = good && worked(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice), "copying a");
  good = good && worked(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice), "copying b");
  if (good) {
    vector_add_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_a, d_b, d_c, n);
    good = worked(cudaGetLastError(), "launching");
  }
  if (good) worked(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost), "copying c");
  cudaFree(d_a);  // also when something failed; freeing a null pointer does nothing
  cudaFree(d_b);
  cudaFree(d_c);
}
