// EXPECT: unwritten-output
// FIRST: unwritten-output at `// wrong`
// The status of the calls outlives the function: after one call that failed, no later one does anything.
#include "vector_add.h"

#include <cuda_runtime.h>

#include <cstdio>

static cudaError_t status = cudaSuccess;  // wrong: nothing sets it back when the next call begins

__global__ void vector_add_kernel(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

// False once a call has failed. The first failure is printed.
static bool good(cudaError_t err) {
  if (status == cudaSuccess && err != cudaSuccess) {
    status = err;
    std::fprintf(stderr, "vector_add: %s\n", cudaGetErrorString(err));
  }
  return status == cudaSuccess;
}

void vector_add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
  if (good(cudaMalloc(&d_a, bytes)) && good(cudaMalloc(&d_b, bytes)) && good(cudaMalloc(&d_c, bytes)) &&
      good(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice)) &&
      good(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice))) {
    vector_add_kernel<<<(n + 255) / 256, 256>>>(d_a, d_b, d_c, n);
    if (good(cudaGetLastError())) good(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost));
  }
  good(cudaFree(d_c));
  good(cudaFree(d_b));
  good(cudaFree(d_a));
}
