// EXPECT: unwritten-output, nonfinite-result, result-mismatch
// FIRST: unwritten-output at `ok(cudaMemcpy(c, d_c, n, cudaMemcpyDeviceToHost));`
// The copy of the result is told n bytes where n floats are wanted: only a quarter comes back.
#include "vector_add.h"

#include <cuda_runtime.h>

#include <cstdio>

#define BLOCK_SIZE 128

__global__ void add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

static bool ok(cudaError_t e) {
  if (e == cudaSuccess) return true;
  fprintf(stderr, "CUDA error: %s\n", cudaGetErrorString(e));
  return false;
}

void vector_add(const float* a, const float* b, float* c, int n) {
  if (n <= 0) return;
  size_t bytes = n * sizeof(float);
  float* d_a = nullptr;
  float* d_b = nullptr;
  float* d_c = nullptr;
  if (!ok(cudaMalloc(&d_a, bytes))) goto done;
  if (!ok(cudaMalloc(&d_b, bytes))) goto done;
  if (!ok(cudaMalloc(&d_c, bytes))) goto done;
  if (!ok(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice))) goto done;
  if (!ok(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice))) goto done;
  add<<<(n + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE>>>(d_a, d_b, d_c, n);
  if (!ok(cudaGetLastError())) goto done;
  ok(cudaMemcpy(c, d_c, n, cudaMemcpyDeviceToHost));  // wrong: n bytes are a quarter of n floats
done:
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
}
