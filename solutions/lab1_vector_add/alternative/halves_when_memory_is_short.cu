// EXPECT: full marks
// Where the device has no memory for all of it, the arrays are added in two halves, one after the other.
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

static bool worked(cudaError_t error, const char* what) {
  if (error != cudaSuccess) std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  return error == cudaSuccess;
}

/// `memory` is true unless an allocation failed.
static bool add(const float* a, const float* b, float* c, int n, bool& memory) {
  const std::size_t bytes = n * sizeof(float);
  float* d[3] = {};
  memory = true;
  for (float*& array : d) memory = memory && worked(cudaMalloc(&array, bytes), "allocating");
  bool good = memory && worked(cudaMemcpy(d[0], a, bytes, cudaMemcpyHostToDevice), "copying a") &&
              worked(cudaMemcpy(d[1], b, bytes, cudaMemcpyHostToDevice), "copying b");
  if (good) {
    vector_add_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d[0], d[1], d[2], n);
    good = worked(cudaGetLastError(), "launching") &&
           worked(cudaMemcpy(c, d[2], bytes, cudaMemcpyDeviceToHost), "copying the sums");
  }
  for (float* array : d) cudaFree(array);
  return good;
}

void vector_add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  std::vector<float> sums(n);
  bool memory = true;
  bool good = add(a, b, sums.data(), n, memory);
  if (!memory && n > 1) {
    const int half = n / 2;
    good = add(a, b, sums.data(), half, memory) && add(a + half, b + half, sums.data() + half, n - half, memory);
  }
  for (int i = 0; good && i < n; ++i) c[i] = sums[i];
}
