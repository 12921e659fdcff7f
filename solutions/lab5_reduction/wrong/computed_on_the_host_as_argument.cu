// EXPECT: computed-on-the-host
// FIRST: computed-on-the-host at `store<<<1, 1>>>(d_out, total);`
#include "reduction.h"

#include <cuda_runtime.h>

#include <cstdio>
#include <numeric>
#include <vector>

template <typename T>
__global__ void store(T* out, T value) {
  *out = value;
}

template <typename T>
void sum(const T* d_in, T* d_out, int n) {
  std::vector<T> values(n);
  cudaMemcpy(values.data(), d_in, n * sizeof(T), cudaMemcpyDeviceToHost);
  const T total = std::accumulate(values.begin(), values.end(), T(0));  // wrong: right is a kernel that adds
  store<<<1, 1>>>(d_out, total);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "sum: %s\n", cudaGetErrorString(error));
}

void reduce_sum(const float* d_in, float* d_out, int n) {
  sum(d_in, d_out, n);
}

void array_sum(const int* d_in, int* d_out, int n) {
  sum(d_in, d_out, n);
}
