// EXPECT: full marks
// A macro checks each call and returns; a class frees what was allocated by then.
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
#define CUDA_CHECK(call)                                                          \
  do {                                                                            \
    const cudaError_t error = (call);                                             \
    if (error != cudaSuccess) {                                                   \
      std::fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(error)); \
      return error;                                                               \
    }                                                                             \
  } while (0)
// end snippet

// snippet: array
class DevArray {
 public:
  ~DevArray() { cudaFree(data_); }
  DevArray() = default;
  DevArray(const DevArray&) = delete;  // two owners would free one array twice
  DevArray& operator=(const DevArray&) = delete;
  cudaError_t allocate(std::size_t n) { return cudaMalloc(&data_, n * sizeof(float)); }
  float* data() const { return data_; }

 private:
  float* data_ = nullptr;
};
// end snippet

// snippet: use
static cudaError_t add(const float* a, const float* b, float* c, int n) {
  const std::size_t bytes = n * sizeof(float);
  DevArray d_a, d_b, d_c;
  CUDA_CHECK(d_a.allocate(n));
  CUDA_CHECK(d_b.allocate(n));
  CUDA_CHECK(d_c.allocate(n));
  CUDA_CHECK(cudaMemcpy(d_a.data(), a, bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_b.data(), b, bytes, cudaMemcpyHostToDevice));
  vector_add_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_a.data(), d_b.data(), d_c.data(), n);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(c, d_c.data(), bytes, cudaMemcpyDeviceToHost));
  return cudaSuccess;
}
// end snippet

void vector_add(const float* a, const float* b, float* c, int n) {
  if (n > 0) add(a, b, c, n);
}
