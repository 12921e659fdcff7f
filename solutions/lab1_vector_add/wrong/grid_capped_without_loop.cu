// EXPECT: wrong-when-timed
// FIRST: wrong-when-timed
// The grid is capped at 65535 blocks, but the kernel has no loop: from n = 16776961 on the elements beyond are never
// computed.
#include "vector_add.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>

__global__ void vector_add_kernel(const float* a, const float* b, float* c, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    c[i] = a[i] + b[i];
  }
}

static bool worked(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return true;
  fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  cudaGetLastError();
  return false;
}

void vector_add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const size_t bytes = (size_t)n * sizeof(float);
  const unsigned grid = std::min(65535u, ((unsigned)n + 255u) / 256u);  // wrong: no cap, or a loop in the kernel
  float *da = nullptr, *db = nullptr, *dc = nullptr;
  bool fine = worked(cudaMalloc(&da, bytes), "malloc") && worked(cudaMalloc(&db, bytes), "malloc") &&
              worked(cudaMalloc(&dc, bytes), "malloc");
  fine = fine && worked(cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice), "memcpy") &&
         worked(cudaMemcpy(db, b, bytes, cudaMemcpyHostToDevice), "memcpy");
  if (fine) {
    vector_add_kernel<<<grid, 256>>>(da, db, dc, (unsigned)n);
    if (worked(cudaGetLastError(), "kernel")) worked(cudaMemcpy(c, dc, bytes, cudaMemcpyDeviceToHost), "memcpy");
  }
  worked(cudaFree(dc), "free");
  worked(cudaFree(db), "free");
  worked(cudaFree(da), "free");
}
