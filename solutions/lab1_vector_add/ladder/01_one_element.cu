// Step 1: a thread for each element.
#include <cuda_runtime.h>

#include <cstdio>

namespace {

constexpr int kBlock = 256;

__global__ void add(const float* a, const float* b, float* c, int n) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < static_cast<size_t>(n)) c[i] = a[i] + b[i];
}

}  // namespace

void vector_add_device(const float* d_a, const float* d_b, float* d_c, int n) {
  if (n <= 0) return;
  const int blocks = (n - 1) / kBlock + 1;
  add<<<blocks, kBlock>>>(d_a, d_b, d_c, n);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "vector_add_device: %s\n", cudaGetErrorString(error));
}
