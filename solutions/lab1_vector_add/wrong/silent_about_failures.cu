// EXPECT: score < max [allocation_failure, launch_failure]
// FIRST: check allocation_failure
// Every return code is looked at, and the function breaks off, but nobody hears of it.
#include "vector_add.h"

#include <cuda_runtime.h>

#include <cstddef>

constexpr int BLOCK = 256;

__global__ void vector_add_kernel(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

bool worked(cudaError_t error) {
  return error == cudaSuccess;  // wrong: say on stderr what failed
}

void vector_add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const std::size_t bytes = n * sizeof(float);
  float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
  bool good = worked(cudaMalloc(&d_a, bytes)) && worked(cudaMalloc(&d_b, bytes)) && worked(cudaMalloc(&d_c, bytes));
  good = good && worked(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice));
  good = good && worked(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice));
  if (good) {
    vector_add_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_a, d_b, d_c, n);
    good = worked(cudaGetLastError());
  }
  if (good) worked(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost));
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
}
