// EXPECT: unwritten-output, result-mismatch
// FIRST: unwritten-output at `cudaMemcpy(c, d_c, n * sizeof(float), cudaMemcpyDeviceToHost)`
// The sums lie in rows with padding behind each. The copy to the host takes the padding along, and not the last sums.
#include "vector_add.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>

constexpr int COLUMNS = 200;

__global__ void add_rows(const float* a, const float* b, float* c, std::size_t pitch, int n) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  const int i = row * COLUMNS + col;
  float* sums = reinterpret_cast<float*>(reinterpret_cast<char*>(c) + row * pitch);
  if (col < COLUMNS && i < n) sums[col] = a[i] + b[i];
}

bool worked(cudaError_t error, const char* what) {
  if (error != cudaSuccess) std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  return error == cudaSuccess;
}

void vector_add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const std::size_t bytes = n * sizeof(float);
  const int rows = (n + COLUMNS - 1) / COLUMNS;
  std::size_t pitch = 0;
  float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
  if (worked(cudaMalloc(&d_a, bytes), "allocating a") && worked(cudaMalloc(&d_b, bytes), "allocating b") &&
      worked(cudaMallocPitch(&d_c, &pitch, COLUMNS * sizeof(float), rows), "allocating c") &&
      worked(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice), "copying a") &&
      worked(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice), "copying b")) {
    const dim3 block(32, 8), grid((COLUMNS + 31) / 32, (rows + 7) / 8);
    add_rows<<<grid, block>>>(d_a, d_b, d_c, pitch, n);
    // wrong: cudaMemcpy2D for the whole rows, with the pitch, and cudaMemcpy for the rest
    if (worked(cudaGetLastError(), "launching"))
      worked(cudaMemcpy(c, d_c, n * sizeof(float), cudaMemcpyDeviceToHost), "copying c");
  }
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
}
