// EXPECT: runner-crashed
// FIRST: runner-crashed at `arrays.clear();`
// The arrays of the device are kept in unique_ptr, which deletes them as if they were the host's.
#include "vector_add.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <memory>
#include <vector>

constexpr int BLOCK = 256;

__global__ void vector_add_kernel(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

using Arrays = std::vector<std::unique_ptr<float>>;  // wrong: a deleter that calls cudaFree

bool worked(cudaError_t error, const char* what) {
  if (error != cudaSuccess) std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  return error == cudaSuccess;
}

float* add_array(Arrays& arrays, std::size_t bytes) {
  float* array = nullptr;
  if (worked(cudaMalloc(&array, bytes), "allocating")) arrays.emplace_back(array);
  return array;
}

void delete_all(Arrays& arrays) {
  arrays.clear();
}

void vector_add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const std::size_t bytes = n * sizeof(float);
  Arrays arrays;
  float *d_a = add_array(arrays, bytes), *d_b = add_array(arrays, bytes), *d_c = add_array(arrays, bytes);
  if (arrays.size() == 3 && worked(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice), "copying a") &&
      worked(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice), "copying b")) {
    vector_add_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_a, d_b, d_c, n);
    if (worked(cudaGetLastError(), "launching")) worked(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost), "copying c");
  }
  delete_all(arrays);
}
