// EXPECT: score < max [no_leaks]
// FIRST: memory-leak at `if (worked(cudaMalloc(&arrays[k], bytes), "allocating")) continue;`
// When an allocation fails, a loop frees what was allocated before it, and ends before the first array.
#include "vector_add.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>

constexpr int BLOCK = 256;

__global__ void vector_add_kernel(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

bool worked(cudaError_t error, const char* what) {
  if (error != cudaSuccess) std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  return error == cudaSuccess;
}

bool allocate(float** arrays, std::size_t bytes) {
  for (int k = 0; k < 3; ++k) {
    if (worked(cudaMalloc(&arrays[k], bytes), "allocating")) continue;
    for (int j = k - 1; j > 0; --j) cudaFree(arrays[j]);  // wrong: j >= 0
    return false;
  }
  return true;
}

void vector_add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const std::size_t bytes = n * sizeof(float);
  float* arrays[3] = {};
  if (!allocate(arrays, bytes)) return;
  if (worked(cudaMemcpy(arrays[0], a, bytes, cudaMemcpyHostToDevice), "copying a") &&
      worked(cudaMemcpy(arrays[1], b, bytes, cudaMemcpyHostToDevice), "copying b")) {
    vector_add_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(arrays[0], arrays[1], arrays[2], n);
    if (worked(cudaGetLastError(), "launching")) {
      worked(cudaMemcpy(c, arrays[2], bytes, cudaMemcpyDeviceToHost), "copying c");
    }
  }
  for (float* array : arrays) cudaFree(array);
}
