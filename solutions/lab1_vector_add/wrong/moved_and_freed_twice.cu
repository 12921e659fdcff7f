// EXPECT: invalid-free, use-after-free, unwritten-output
// FIRST: invalid-free at `data_(other.data_)`
// A vector that grows moves its elements: the destructor of each old one frees what the new one has.
#include "vector_add.h"

#include <cuda_runtime.h>

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

class DeviceArray {
 public:
  explicit DeviceArray(std::size_t bytes) { worked(cudaMalloc(&data_, bytes), "allocating"); }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(DeviceArray&& other) noexcept : data_(other.data_) {}  // wrong: other.data_ has to become null
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  float* data() const { return data_; }

 private:
  float* data_ = nullptr;
};

void vector_add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const std::size_t bytes = n * sizeof(float);
  std::vector<DeviceArray> own;
  for (int i = 0; i < 3; ++i) own.emplace_back(bytes);
  float *d_a = own[0].data(), *d_b = own[1].data(), *d_c = own[2].data();
  if (d_a == nullptr || d_b == nullptr || d_c == nullptr) return;
  if (worked(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice), "copying a") &&
      worked(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice), "copying b")) {
    vector_add_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_a, d_b, d_c, n);
    if (worked(cudaGetLastError(), "launching")) worked(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost), "copying c");
  }
}
