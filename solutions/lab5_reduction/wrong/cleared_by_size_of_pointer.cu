// EXPECT: runtime-error
// FIRST: runtime-error at `sizeof(d_out)`
// The result is set to 0 with the size of a pointer, which is more than that of the result.
#include "reduction.h"

#include <cuda_runtime.h>

#include <cstdio>

constexpr int BLOCK = 256;

template <typename T>
__global__ void block_sums(const T* in, T* out, int n) {
  __shared__ T sums[BLOCK];
  const int t = threadIdx.x;
  const int i = blockIdx.x * BLOCK + t;
  sums[t] = i < n ? in[i] : T(0);
  __syncthreads();
  for (int stride = BLOCK / 2; stride > 0; stride /= 2) {
    if (t < stride) sums[t] += sums[t + stride];
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, sums[0]);
}

bool failed(cudaError_t error) {
  if (error != cudaSuccess) std::fprintf(stderr, "sum: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}

template <typename T>
void sum(const T* d_in, T* d_out, int n) {
  if (failed(cudaMemset(d_out, 0, sizeof(d_out)))) return;  // wrong: sizeof(T)
  const int blocks = n > BLOCK ? (n + BLOCK - 1) / BLOCK : 1;
  block_sums<<<blocks, BLOCK>>>(d_in, d_out, n);
  failed(cudaGetLastError());
}

void reduce_sum(const float* d_in, float* d_out, int n) {
  sum(d_in, d_out, n);
}

void array_sum(const int* d_in, int* d_out, int n) {
  sum(d_in, d_out, n);
}
