// EXPECT: score < max [many_blocks, any_size, float_sums]
// FIRST: result-mismatch at `block_sums<<<1, BLOCK>>>(d_in`
// One block adds up its own elements, and nobody the rest.
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
  if (t == 0) out[blockIdx.x] = sums[0];
}

bool failed(cudaError_t error) {
  if (error != cudaSuccess) std::fprintf(stderr, "sum: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}

template <typename T>
void sum(const T* d_in, T* d_out, int n) {
  block_sums<<<1, BLOCK>>>(d_in, d_out, n);  // wrong: as many blocks as n needs
  failed(cudaGetLastError());
}

void reduce_sum(const float* d_in, float* d_out, int n) {
  sum(d_in, d_out, n);
}

void array_sum(const int* d_in, int* d_out, int n) {
  sum(d_in, d_out, n);
}
