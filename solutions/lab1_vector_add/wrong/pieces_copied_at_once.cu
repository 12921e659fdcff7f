// EXPECT: score < max [launch_failure]
// FIRST: result-mismatch at `return worked(cudaMemcpy(c`
// The arrays are added in pieces, and each piece is copied to c at once: where a later launch fails, c has changed.
#include "vector_add.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>

constexpr int BLOCK = 256, PIECE = 1 << 15;

__global__ void vector_add_kernel(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

bool worked(cudaError_t error, const char* what) {
  if (error != cudaSuccess) std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  return error == cudaSuccess;
}

bool add_piece(float* const* d, const float* a, const float* b, float* c, int n) {
  const std::size_t bytes = n * sizeof(float);
  if (!worked(cudaMemcpy(d[0], a, bytes, cudaMemcpyHostToDevice), "copying a")) return false;
  if (!worked(cudaMemcpy(d[1], b, bytes, cudaMemcpyHostToDevice), "copying b")) return false;
  vector_add_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d[0], d[1], d[2], n);
  if (!worked(cudaGetLastError(), "launching")) return false;
  return worked(cudaMemcpy(c, d[2], bytes, cudaMemcpyDeviceToHost), "copying c");  // wrong: c only when all is there
}

void vector_add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const int most = std::min(n, PIECE);
  float* d[3] = {};
  bool good = true;
  for (float*& array : d) good = good && worked(cudaMalloc(&array, most * sizeof(float)), "allocating");
  for (int begin = 0; begin < n && good; begin += most)
    good = add_piece(d, a + begin, b + begin, c + begin, std::min(most, n - begin));
  for (float* array : d) cudaFree(array);
}
