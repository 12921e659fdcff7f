// EXPECT: score < max [allocation_failure]
// FIRST: result-mismatch at `good = worked(cudaMemcpy(d_a`
// One variable takes the result of both copies to the device, and is looked at once: only the second copy counts.
#include "vector_add.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>

constexpr int BLOCK = 256;

__global__ void vector_add_kernel(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

/// Prints what failed, and clears the error.
bool worked(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return true;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  cudaGetLastError();
  return false;
}

void vector_add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const std::size_t bytes = n * sizeof(float);
  float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
  bool good = worked(cudaMalloc(&d_a, bytes), "allocating a") && worked(cudaMalloc(&d_b, bytes), "allocating b") &&
              worked(cudaMalloc(&d_c, bytes), "allocating c");
  if (good) {
    good = worked(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice), "copying a");
    good = worked(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice), "copying b");  // wrong: forgets the line before
  }
  if (good) {
    vector_add_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_a, d_b, d_c, n);
    good = worked(cudaGetLastError(), "launching");
  }
  if (good) worked(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost), "copying c");
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
}
