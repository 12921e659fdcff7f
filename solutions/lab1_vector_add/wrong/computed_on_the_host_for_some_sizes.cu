// EXPECT: computed-on-the-host
// FIRST: computed-on-the-host at `worked(cudaMemcpy(d_a, sums.data()`
// Arrays of some sizes are added on the host, and a kernel only copies the sums.
#include "vector_add.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <vector>

constexpr int BLOCK = 256;

__global__ void vector_add_kernel(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void copy_kernel(const float* sums, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = sums[i];
}

bool worked(cudaError_t error, const char* what) {
  if (error != cudaSuccess) std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  return error == cudaSuccess;
}

void vector_add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const std::size_t bytes = n * sizeof(float);
  const int blocks = (n + BLOCK - 1) / BLOCK;
  float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
  bool good = worked(cudaMalloc(&d_a, bytes), "allocating a");
  good = good && worked(cudaMalloc(&d_b, bytes), "allocating b");
  good = good && worked(cudaMalloc(&d_c, bytes), "allocating c");
  if (n > 20000 || n == 256) {  // wrong: right is one kernel for arrays of all sizes
    std::vector<float> sums(n);
    for (int i = 0; i < n; ++i) sums[i] = a[i] + b[i];
    good = good && worked(cudaMemcpy(d_a, sums.data(), bytes, cudaMemcpyHostToDevice), "copying the sums");
    if (good) {
      copy_kernel<<<blocks, BLOCK>>>(d_a, d_c, n);
      good = worked(cudaGetLastError(), "launching");
    }
  } else {
    good = good && worked(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice), "copying a");
    good = good && worked(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice), "copying b");
    if (good) {
      vector_add_kernel<<<blocks, BLOCK>>>(d_a, d_b, d_c, n);
      good = worked(cudaGetLastError(), "launching");
    }
  }
  if (good) worked(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost), "copying c");
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
}
