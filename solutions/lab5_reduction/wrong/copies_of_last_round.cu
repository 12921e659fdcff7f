// EXPECT: uninitialized-read
// FIRST: uninitialized-read at `sum += buffers[round % 2][t];  // wrong`
// Each round adds what the round before has begun to copy, and waits for no copy but in the end.
#include "reduction.h"

#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

#include <cstdio>

constexpr int BLOCK = 128, MOST_BLOCKS = 256;

template <typename T>
__global__ void partial_sums(const T* in, T* out, int n) {
  __shared__ T buffers[2][BLOCK];
  __shared__ T sums[BLOCK];
  const int t = threadIdx.x, step = gridDim.x * BLOCK;
  int next = blockIdx.x * BLOCK + t;
  if (next < n) __pipeline_memcpy_async(&buffers[0][t], in + next, sizeof(T));
  __pipeline_commit();
  T sum = 0;
  int round = 0;
  for (int i = next; i < n; i += step, ++round) {
    next = i + step;
    if (next < n) __pipeline_memcpy_async(&buffers[(round + 1) % 2][t], in + next, sizeof(T));
    __pipeline_commit();
    sum += buffers[round % 2][t];  // wrong: __pipeline_wait_prior(1) is missing
  }
  __pipeline_wait_prior(0);
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
  int blocks = n > BLOCK ? (n + BLOCK - 1) / BLOCK : 1;
  if (blocks > MOST_BLOCKS) blocks = MOST_BLOCKS;
  T* d_sums = nullptr;
  if (failed(cudaMalloc(&d_sums, blocks * sizeof(T)))) return;
  partial_sums<<<blocks, BLOCK>>>(d_in, d_sums, n);
  if (!failed(cudaGetLastError())) {
    partial_sums<<<1, BLOCK>>>(d_sums, d_out, blocks);
    failed(cudaGetLastError());
  }
  failed(cudaFree(d_sums));
}

void reduce_sum(const float* d_in, float* d_out, int n) {
  sum(d_in, d_out, n);
}

void array_sum(const int* d_in, int* d_out, int n) {
  sum(d_in, d_out, n);
}
