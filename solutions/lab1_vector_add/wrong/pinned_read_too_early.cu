// EXPECT: host-race
// FIRST: host-race at `good = good && worked(cudaMemcpyAsync(`
#include "vector_add.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstring>

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
  float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr, *h_c = nullptr;
  bool good = worked(cudaMallocHost(&h_c, bytes), "allocating page-locked memory");
  good = good && worked(cudaMalloc(&d_a, bytes), "allocating a");
  good = good && worked(cudaMalloc(&d_b, bytes), "allocating b");
  good = good && worked(cudaMalloc(&d_c, bytes), "allocating c");
  good = good && worked(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice), "copying a");
  good = good && worked(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice), "copying b");
  if (good) {
    vector_add_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_a, d_b, d_c, n);
    good = worked(cudaGetLastError(), "launching");
  }
  good = good && worked(cudaMemcpyAsync(h_c, d_c, bytes, cudaMemcpyDeviceToHost), "copying c");
  // wrong: right is cudaDeviceSynchronize() here, before the host reads what the copy brings
  if (good) std::memcpy(c, h_c, bytes);
  cudaDeviceSynchronize();
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
  cudaFreeHost(h_c);
}
