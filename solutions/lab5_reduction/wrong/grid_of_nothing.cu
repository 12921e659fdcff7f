// EXPECT: invalid-launch
// FIRST: invalid-launch at `partial_sums<<<blocks, BLOCK>>>(d_in, d_sums, n);`
// No element makes a grid of no block, which is no launch; the second kernel adds up nothing and stores 0 all the same.
#include "reduction.h"

#include <cuda_runtime.h>

#include <cstdio>

constexpr int BLOCK = 256, MOST_BLOCKS = 512;

template <typename T>
__global__ void partial_sums(const T* in, T* out, int n) {
  __shared__ T sums[BLOCK];
  const int t = threadIdx.x;
  T sum = 0;
  for (int i = blockIdx.x * BLOCK + t; i < n; i += gridDim.x * BLOCK) sum += in[i];
  sums[t] = sum;
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
  int blocks = (n + BLOCK - 1) / BLOCK;  // wrong: at least 1
  if (blocks > MOST_BLOCKS) blocks = MOST_BLOCKS;
  T* d_sums = nullptr;
  if (failed(cudaMalloc(&d_sums, MOST_BLOCKS * sizeof(T)))) return;
  partial_sums<<<blocks, BLOCK>>>(d_in, d_sums, n);
  failed(cudaGetLastError());
  partial_sums<<<1, BLOCK>>>(d_sums, d_out, blocks);
  failed(cudaGetLastError());
  failed(cudaFree(d_sums));
}

void reduce_sum(const float* d_in, float* d_out, int n) {
  sum(d_in, d_out, n);
}

void array_sum(const int* d_in, int* d_out, int n) {
  sum(d_in, d_out, n);
}
