// EXPECT: device-reset
// FIRST: device-reset at `// wrong`
// As samples of a whole program end: whatever else the program has on the device is lost.
#include "vector_add.h"

#include <cuda_runtime.h>

#include <cstdio>

__global__ void vector_add_kernel(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

static cudaError_t add(const float* a, const float* b, float* c, float* d_a, float* d_b, float* d_c, int n) {
  const size_t bytes = n * sizeof(float);
  cudaError_t err = cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice);
  if (err == cudaSuccess) err = cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice);
  if (err != cudaSuccess) return err;
  vector_add_kernel<<<(n + 255) / 256, 256>>>(d_a, d_b, d_c, n);
  err = cudaGetLastError();
  return err != cudaSuccess ? err : cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost);
}

void vector_add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
  const size_t bytes = n * sizeof(float);
  cudaError_t err = cudaMalloc(&d_a, bytes);
  if (err == cudaSuccess) err = cudaMalloc(&d_b, bytes);
  if (err == cudaSuccess) err = cudaMalloc(&d_c, bytes);
  if (err == cudaSuccess) err = add(a, b, c, d_a, d_b, d_c, n);
  if (err != cudaSuccess) std::fprintf(stderr, "vector_add: %s\n", cudaGetErrorString(err));
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
  err = cudaDeviceReset();  // wrong: the device is not this function's alone
  if (err != cudaSuccess) std::fprintf(stderr, "vector_add: %s\n", cudaGetErrorString(err));
}
