// EXPECT: invalid-free
// FIRST: invalid-free at `cudaFree(d_c);  // of the first call`
// The pointers outlive the call: when an allocation of a later call fails, those of the first call are freed once more.
#include "vector_add.h"

#include <cuda_runtime.h>

#include <cstdio>
#include <initializer_list>

static float *d_a, *d_b, *d_c;  // wrong: they are not set to nullptr when the memory is freed

__global__ void vector_add_kernel(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

static cudaError_t add(const float* a, const float* b, float* c, int n) {
  const size_t bytes = n * sizeof(float);
  cudaError_t err = cudaMalloc(&d_a, bytes);
  if (!err) err = cudaMalloc(&d_b, bytes);
  if (!err) err = cudaMalloc(&d_c, bytes);
  if (err) {
    cudaFree(d_c);  // of the first call
    cudaFree(d_b);
    cudaFree(d_a);
    return err;
  }
  err = cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice);
  if (!err) err = cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice);
  if (!err) {
    vector_add_kernel<<<(n + 255) / 256, 256>>>(d_a, d_b, d_c, n);
    err = cudaGetLastError();
  }
  if (!err) err = cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost);
  for (float* array : {d_a, d_b, d_c}) {
    const cudaError_t freed = cudaFree(array);
    if (!err) err = freed;
  }
  return err;
}

void vector_add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const cudaError_t err = add(a, b, c, n);
  if (err) std::fprintf(stderr, "vector_add: %s\n", cudaGetErrorString(err));
}
