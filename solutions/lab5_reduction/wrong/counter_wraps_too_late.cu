// EXPECT: leftover-value
// FIRST: leftover-value beside `last = atomicInc(&finished, gridDim.x) == gridDim.x - 1;`
// The count of finished blocks is to begin anew with each launch, but goes round one step too late.
#include "reduction.h"

#include <cuda_runtime.h>

#include <cstdio>

constexpr int BLOCK = 256;

__device__ unsigned finished = 0;

template <typename T>
__global__ void block_sums(const T* in, T* out, T* sums_of_blocks, int n) {
  __shared__ T sums[BLOCK];
  __shared__ bool last;
  const int t = threadIdx.x;
  const int i = blockIdx.x * BLOCK + t;
  sums[t] = i < n ? in[i] : T(0);
  __syncthreads();
  for (int stride = BLOCK / 2; stride > 0; stride /= 2) {
    if (t < stride) sums[t] += sums[t + stride];
    __syncthreads();
  }
  if (t == 0) {
    sums_of_blocks[blockIdx.x] = sums[0];
    __threadfence();
    last = atomicInc(&finished, gridDim.x) == gridDim.x - 1;  // wrong: the limit is gridDim.x - 1
  }
  __syncthreads();
  if (last && t == 0) {
    __threadfence();
    T total = 0;
    for (unsigned block = 0; block < gridDim.x; ++block) total += sums_of_blocks[block];
    *out = total;
  }
}

bool failed(cudaError_t error) {
  if (error != cudaSuccess) std::fprintf(stderr, "sum: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}

template <typename T>
void sum(const T* d_in, T* d_out, int n) {
  const int blocks = n > BLOCK ? (n + BLOCK - 1) / BLOCK : 1;
  T* d_sums = nullptr;
  if (failed(cudaMalloc(&d_sums, blocks * sizeof(T)))) return;
  block_sums<<<blocks, BLOCK>>>(d_in, d_out, d_sums, n);
  failed(cudaGetLastError());
  failed(cudaFree(d_sums));
}

void reduce_sum(const float* d_in, float* d_out, int n) {
  sum(d_in, d_out, n);
}

void array_sum(const int* d_in, int* d_out, int n) {
  sum(d_in, d_out, n);
}
