// EXPECT: score < max [allocation_failure, launch_failure]
// FIRST: result-mismatch at `CUDA_CHECK(cudaGetLastError())`
// The macro has the call in two places: the second time cudaGetLastError() has forgotten the error.
#include "vector_add.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>

constexpr int BLOCK = 256;

__global__ void vector_add_kernel(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

// snippet: check
#define CUDA_CHECK(call)                                              \
  do {                                                                \
    if ((call) != cudaSuccess) {                                      \
      std::fprintf(stderr, "failed: %s\n", cudaGetErrorString(call)); \
      failed = (call) != cudaSuccess; /* wrong: keep the result */    \
    }                                                                 \
  } while (0)
// end snippet

void vector_add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const std::size_t bytes = n * sizeof(float);
  float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
  bool failed = cudaMalloc(&d_a, bytes) != cudaSuccess || cudaMalloc(&d_b, bytes) != cudaSuccess ||
                cudaMalloc(&d_c, bytes) != cudaSuccess;
  if (failed) std::fprintf(stderr, "no memory on the device\n");
  if (!failed) CUDA_CHECK(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice));
  if (!failed) CUDA_CHECK(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice));
  if (!failed) {
    vector_add_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_a, d_b, d_c, n);
    CUDA_CHECK(cudaGetLastError());
  }
  if (!failed) CUDA_CHECK(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost));
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
}
