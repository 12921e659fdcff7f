// EXPECT: result-mismatch
// FIRST: result-mismatch at `if (t < n % 2) sum += in[n - 1];`
// A thread takes two neighbours at a time; each block adds the element that is left over, and not one of them alone.
#include "reduction.h"

#include <cuda_runtime.h>

#include <cstdio>

constexpr int BLOCK = 256;
constexpr int MOST_BLOCKS = 40;

template <typename T>
__global__ void block_sums(const T* in, T* out, int n) {
  __shared__ T sums[BLOCK];
  const int t = threadIdx.x;
  T sum = 0;
  for (int i = blockIdx.x * BLOCK + t; i < n / 2; i += gridDim.x * BLOCK) sum += in[2 * i] + in[2 * i + 1];
  if (t < n % 2) sum += in[n - 1];  // wrong: in every block
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
  const int needed = n > BLOCK ? (n + BLOCK - 1) / BLOCK : 1;
  const int blocks = needed < MOST_BLOCKS ? needed : MOST_BLOCKS;
  if (blocks == 1) {
    block_sums<<<1, BLOCK>>>(d_in, d_out, n);
    failed(cudaGetLastError());
    return;
  }
  T* d_sums = nullptr;
  if (failed(cudaMalloc(&d_sums, blocks * sizeof(T)))) return;
  block_sums<<<blocks, BLOCK>>>(d_in, d_sums, n);
  if (!failed(cudaGetLastError())) sum(d_sums, d_out, blocks);
  failed(cudaFree(d_sums));
}

void reduce_sum(const float* d_in, float* d_out, int n) {
  sum(d_in, d_out, n);
}

void array_sum(const int* d_in, int* d_out, int n) {
  sum(d_in, d_out, n);
}
