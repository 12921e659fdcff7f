// EXPECT: global-out-of-bounds
// FIRST: global-out-of-bounds beside `u_b[filled++] = 0`
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

void vector_add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const std::size_t bytes = n * sizeof(float);
  float *u_a = nullptr, *u_b = nullptr, *u_c = nullptr;
  bool good = worked(cudaMallocManaged(&u_a, bytes), "allocating a");
  good = good && worked(cudaMallocManaged(&u_b, bytes), "allocating b");
  good = good && worked(cudaMallocManaged(&u_c, bytes), "allocating c");
  if (good) {
    for (int i = 0; i < n; ++i) {
      u_a[i] = a[i];
      u_b[i] = b[i];
    }
    int filled = n;
    while (filled < (n + BLOCK - 1) / BLOCK * BLOCK) u_b[filled++] = 0;  // wrong: the array has n elements
    vector_add_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(u_a, u_b, u_c, n);
    good = worked(cudaGetLastError(), "launching");
  }
  good = good && worked(cudaDeviceSynchronize(), "waiting");
  for (int i = 0; good && i < n; ++i) c[i] = u_c[i];
  cudaFree(u_a);
  cudaFree(u_b);
  cudaFree(u_c);
}
