// EXPECT: computed-on-the-host
// FIRST: computed-on-the-host at `store_kernel<<<1, 1>>>(a[0] + b[0], d_c);`
// A single element is added on the host, and handed to a kernel.
#include "vector_add.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>

constexpr int BLOCK = 256;

__global__ void vector_add_kernel(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void store_kernel(float sum, float* c) {
  *c = sum;
}

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
    if (n == 1) {
      store_kernel<<<1, 1>>>(a[0] + b[0], d_c);  // wrong: right is the kernel for all sizes
    } else {
      vector_add_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_a, d_b, d_c, n);
    }
    good = worked(cudaGetLastError(), "launching");
  }
  if (good) worked(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost), "copying c");
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
}
