// EXPECT: result-mismatch
// FIRST: result-mismatch at `__shfl_down_sync(0xffffffff, sum, offset, 16)`
// The shuffles work in parts of half a warp, and begin with the distance of a whole one.
#include "reduction.h"

#include <cuda_runtime.h>

#include <cstdio>

constexpr int BLOCK = 256;

template <typename T>
__global__ void block_sums(const T* in, T* out, int n) {
  __shared__ T sums[BLOCK / 32];
  const int t = threadIdx.x;
  const int i = blockIdx.x * BLOCK + t;
  T sum = i < n ? in[i] : T(0);
  // wrong: in parts of 16 lanes, lane 0 gets its own sum at a distance of 16; leave out the width
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset, 16);
  if (t % 32 == 0) sums[t / 32] = sum;
  __syncthreads();
  if (t < BLOCK / 32) {
    sum = sums[t];
    for (int offset = 4; offset > 0; offset /= 2) sum += __shfl_down_sync(0xff, sum, offset);
    if (t == 0) out[blockIdx.x] = sum;
  }
}

bool failed(cudaError_t error) {
  if (error != cudaSuccess) std::fprintf(stderr, "sum: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}

template <typename T>
void sum(const T* d_in, T* d_out, int n) {
  const int blocks = n > BLOCK ? (n + BLOCK - 1) / BLOCK : 1;
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
