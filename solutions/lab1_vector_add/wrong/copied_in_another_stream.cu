// EXPECT: stream-race
// FIRST: stream-race at `worked(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost), "copying c")) {`
// The kernel runs in a stream that the copy of the result does not wait for.
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
  cudaStream_t stream = nullptr;
  if (!worked(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "creating a stream")) return;
  float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
  if (worked(cudaMalloc(&d_a, bytes), "allocating a") && worked(cudaMalloc(&d_b, bytes), "allocating b") &&
      worked(cudaMalloc(&d_c, bytes), "allocating c") &&
      worked(cudaMemcpyAsync(d_a, a, bytes, cudaMemcpyHostToDevice, stream), "copying a") &&
      worked(cudaMemcpyAsync(d_b, b, bytes, cudaMemcpyHostToDevice, stream), "copying b")) {
    vector_add_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK, 0, stream>>>(d_a, d_b, d_c, n);
    if (worked(cudaGetLastError(), "launching") &&
        // wrong: should be cudaMemcpyAsync in `stream`: the default stream does not wait for a non-blocking one
        worked(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost), "copying c")) {
      worked(cudaStreamSynchronize(stream), "waiting");
    }
  }
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
  cudaStreamDestroy(stream);
}
