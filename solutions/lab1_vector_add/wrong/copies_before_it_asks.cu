// EXPECT: score < max [launch_failure]
// FIRST: result-mismatch at `worked(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost), "copying c");`
// The program asks whether the launch failed when `c` has been written already.
#include "vector_add.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>

constexpr int BLOCK = 256;

__global__ void vector_add_kernel(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
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
    worked(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost), "copying c");  // wrong: only after the next line
    worked(cudaGetLastError(), "launching");
  }
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
}
