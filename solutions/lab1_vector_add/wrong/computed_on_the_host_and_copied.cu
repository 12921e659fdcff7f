// EXPECT: computed-on-the-host
// FIRST: computed-on-the-host at `worked(cudaMemcpy(d_sums, sums.data()`
#include "vector_add.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <vector>

constexpr int BLOCK = 256;

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
  std::vector<float> sums(n);
  for (int i = 0; i < n; ++i) sums[i] = a[i] + b[i];  // wrong: right is a kernel that gets a and b, and adds
  float *d_sums = nullptr, *d_c = nullptr, *d_spare = nullptr;
  bool good = worked(cudaMalloc(&d_sums, bytes), "allocating the sums");
  good = good && worked(cudaMalloc(&d_c, bytes), "allocating c");
  good = good && worked(cudaMalloc(&d_spare, bytes), "allocating a spare array");
  good = good && worked(cudaMemcpy(d_sums, sums.data(), bytes, cudaMemcpyHostToDevice), "copying the sums");
  if (good) {
    copy_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_sums, d_c, n);
    good = worked(cudaGetLastError(), "launching");
  }
  if (good) worked(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost), "copying c");
  cudaFree(d_sums);
  cudaFree(d_c);
  cudaFree(d_spare);
}
