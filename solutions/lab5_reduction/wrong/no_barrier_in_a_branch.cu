// EXPECT: shared-race
// FIRST: shared-race at `if (t < 64) sums[t] += sums[t + 64];`
// Two steps in one branch that half of the block takes: a barrier between them cannot stand there.
#include "reduction.h"

#include <cuda_runtime.h>

#include <cstdio>

constexpr int BLOCK = 256;  // a power of two: each step halves it

// Each block adds up BLOCK elements and leaves its sum in out[blockIdx.x].
template <typename T>
__global__ void block_sums(const T* in, T* out, int n) {
  __shared__ T sums[BLOCK];
  const int t = threadIdx.x;
  const int i = blockIdx.x * BLOCK + t;
  sums[t] = i < n ? in[i] : T(0);
  __syncthreads();  // nobody adds before everybody has loaded
  if (t < 128) {
    sums[t] += sums[t + 128];
    if (t < 64) sums[t] += sums[t + 64];  // wrong: behind the branch and a barrier
  }
  __syncthreads();
  for (int stride = 32; stride > 0; stride /= 2) {
    if (t < stride) sums[t] += sums[t + stride];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}

bool failed(cudaError_t error) {
  if (error != cudaSuccess) std::fprintf(stderr, "sum: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}

// Block after block, then the sums of the blocks in the same way, until one is left.
template <typename T>
void sum(const T* d_in, T* d_out, int n) {
  const int blocks = n > BLOCK ? (n + BLOCK - 1) / BLOCK : 1;
  if (blocks == 1) {  // for n = 0 too: a block that finds no element stores 0
    block_sums<<<1, BLOCK>>>(d_in, d_out, n);
    failed(cudaGetLastError());
    return;
  }
  T* d_sums = nullptr;
  if (failed(cudaMalloc(&d_sums, blocks * sizeof(T)))) return;
  block_sums<<<blocks, BLOCK>>>(d_in, d_sums, n);
  if (!failed(cudaGetLastError())) sum(d_sums, d_out, blocks);  // after the first kernel
  failed(cudaFree(d_sums));
}

void reduce_sum(const float* d_in, float* d_out, int n) {
  sum(d_in, d_out, n);
}

void array_sum(const int* d_in, int* d_out, int n) {
  sum(d_in, d_out, n);
}
