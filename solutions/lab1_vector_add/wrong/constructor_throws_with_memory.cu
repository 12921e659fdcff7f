// EXPECT: score < max [no_leaks]
// FIRST: memory-leak beside `check(cudaMemcpy(data_, from, bytes, cudaMemcpyHostToDevice), "copying in");`
// DIFFERS: constructors copy, and throw
// An exception leaves the constructor that has allocated: no destructor is run for its object.
#include "vector_add.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <stdexcept>

constexpr int BLOCK = 256;

__global__ void vector_add_kernel(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

void check(cudaError_t error, const char* what) {
  if (error != cudaSuccess) std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  if (error != cudaSuccess) throw std::runtime_error(what);
}

class DeviceArray {
 public:
  explicit DeviceArray(std::size_t bytes) { check(cudaMalloc(&data_, bytes), "allocating"); }
  DeviceArray(const float* from, std::size_t bytes) /* wrong: : DeviceArray(bytes) */ {
    check(cudaMalloc(&data_, bytes), "allocating");
    check(cudaMemcpy(data_, from, bytes, cudaMemcpyHostToDevice), "copying in");
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  float* data() const { return data_; }

 private:
  float* data_ = nullptr;
};

void vector_add(const float* a, const float* b, float* c, int n) try {
  if (n == 0) return;
  const std::size_t bytes = n * sizeof(float);
  const DeviceArray own_a(a, bytes), own_b(b, bytes), own_c(bytes);
  float *d_a = own_a.data(), *d_b = own_b.data(), *d_c = own_c.data();
  vector_add_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_a, d_b, d_c, n);
  check(cudaGetLastError(), "launching");
  check(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost), "copying c");
} catch (const std::runtime_error&) {
}
