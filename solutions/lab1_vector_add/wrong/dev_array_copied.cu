// EXPECT: invalid-free, use-after-free
// FIRST: use-after-free beside `void fill(dev_array array, const float* from) {`
// The class that owns an array can be copied. A function takes it by value, and frees the array at its end.
#include "vector_add.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>

constexpr int BLOCK = 256;

__global__ void vector_add_kernel(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

class dev_array {
 public:
  explicit dev_array(std::size_t size) : size_(size) {
    good_ = cudaMalloc(&start_, size * sizeof(float)) == cudaSuccess;
    if (!good_) std::fprintf(stderr, "no memory on the device\n");
  }
  ~dev_array() { cudaFree(start_); }
  // snippet: copy
  // wrong: dev_array(const dev_array&) = delete; a copy frees the same array
  // end snippet
  float* data() const { return start_; }
  void set(const float* from) {
    good_ = good_ && cudaMemcpy(start_, from, size_ * sizeof(float), cudaMemcpyHostToDevice) == cudaSuccess;
  }
  void get(float* to) const { cudaMemcpy(to, start_, size_ * sizeof(float), cudaMemcpyDeviceToHost); }
  bool good() const { return good_; }

 private:
  std::size_t size_;
  float* start_ = nullptr;
  bool good_ = false;
};

// snippet: fill
void fill(dev_array array, const float* from) {  // wrong: dev_array&
  array.set(from);
}
// end snippet

void vector_add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  dev_array d_a(n), d_b(n), d_c(n);
  if (!d_a.good() || !d_b.good() || !d_c.good()) return;
  fill(d_a, a);
  d_b.set(b);
  vector_add_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_a.data(), d_b.data(), d_c.data(), n);
  if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess) {
    std::fprintf(stderr, "launch: %s\n", cudaGetErrorString(error));
    return;
  }
  d_c.get(c);
}
