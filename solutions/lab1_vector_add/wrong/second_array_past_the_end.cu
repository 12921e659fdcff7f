// EXPECT: runtime-error
// FIRST: runtime-error at `cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice)`
// Both inputs lie in one allocation. The second one begins at a multiple of 64 elements, and the allocation has no room
// for what lies between the two.
#include "vector_add.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>

constexpr int BLOCK = 256, STEP = 64;

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
  float *d_a = nullptr, *d_c = nullptr;
  if (worked(cudaMalloc(&d_a, 2 * bytes), "allocating a and b") &&  // wrong: room for the offset of b, and for b
      worked(cudaMalloc(&d_c, bytes), "allocating c")) {
    float* d_b = d_a + (n + STEP - 1) / STEP * STEP;
    if (worked(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice), "copying a") &&
        worked(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice), "copying b")) {
      vector_add_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_a, d_b, d_c, n);
      if (worked(cudaGetLastError(), "launching"))
        worked(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost), "copying c");
    }
  }
  cudaFree(d_a);
  cudaFree(d_c);
}
