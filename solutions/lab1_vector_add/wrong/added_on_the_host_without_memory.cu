// EXPECT: computed-on-the-host
// FIRST: computed-on-the-host at `c[i] = a[i] + b[i];  // wrong`
// Where the device has no memory, a loop on the host adds the arrays.
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

bool allocate(float** arrays, int count, std::size_t bytes) {
  for (int k = 0; k < count; ++k) {
    if (!worked(cudaMalloc(&arrays[k], bytes), "allocating")) return false;
  }
  return true;
}

void vector_add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const std::size_t bytes = n * sizeof(float);
  float* d[3] = {};
  if (!allocate(d, 3, bytes)) {
    for (int i = 0; i < n; ++i) c[i] = a[i] + b[i];  // wrong: leave c as it is
  } else if (worked(cudaMemcpy(d[0], a, bytes, cudaMemcpyHostToDevice), "copying a") &&
             worked(cudaMemcpy(d[1], b, bytes, cudaMemcpyHostToDevice), "copying b")) {
    vector_add_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d[0], d[1], d[2], n);
    if (worked(cudaGetLastError(), "launching"))
      worked(cudaMemcpy(c, d[2], bytes, cudaMemcpyDeviceToHost), "copying c");
  }
  for (float* array : d) cudaFree(array);
}
