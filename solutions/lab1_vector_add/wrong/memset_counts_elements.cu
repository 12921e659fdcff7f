// EXPECT: uninitialized-read
// FIRST: uninitialized-read at `if (i < n) atomicAdd(&c[i], part[i]);`
// The sums are added up in an array of which `cudaMemset` cleared n bytes instead of n floats.
#include "vector_add.h"

#include <cuda_runtime.h>

#include <cstdio>

__global__ void add_to(float* c, const float* part, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&c[i], part[i]);
}

static bool worked(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return true;
  fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  cudaGetLastError();
  return false;
}

static bool add_part(float* d_c, float* d_part, const float* part, int n) {
  if (!worked(cudaMemcpy(d_part, part, n * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy")) return false;
  add_to<<<(n - 1) / 256 + 1, 256>>>(d_c, d_part, n);
  return worked(cudaGetLastError(), "launch");
}

void vector_add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  float *d_part = nullptr, *d_c = nullptr;
  if (worked(cudaMalloc(&d_part, bytes), "cudaMalloc") && worked(cudaMalloc(&d_c, bytes), "cudaMalloc")) {
    if (worked(cudaMemset(d_c, 0, n), "cudaMemset") &&  // wrong: bytes
        add_part(d_c, d_part, a, n) && add_part(d_c, d_part, b, n)) {
      worked(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
    }
  }
  worked(cudaFree(d_part), "cudaFree");
  worked(cudaFree(d_c), "cudaFree");
}
