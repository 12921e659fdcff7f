// EXPECT: uninitialized-read
// FIRST: uninitialized-read at `sums[t] = i < n ? in[i] : T(0);`
// There is room for the sums of so many blocks that a warp can read them, and all of that is added up.
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
  const int blocks = n > BLOCK ? (n + BLOCK - 1) / BLOCK : 1;
  if (blocks == 1) {
    block_sums<<<1, BLOCK>>>(d_in, d_out, n);
    failed(cudaGetLastError());
    return;
  }
  T* d_sums = nullptr;
  const int room = (blocks + 31) / 32 * 32;
  if (failed(cudaMalloc(&d_sums, room * sizeof(T)))) return;
  block_sums<<<blocks, BLOCK>>>(d_in, d_sums, n);
  if (!failed(cudaGetLastError())) sum(d_sums, d_out, room);  // wrong: blocks
  failed(cudaFree(d_sums));
}

void reduce_sum(const float* d_in, float* d_out, int n) {
  sum(d_in, d_out, n);
}

void array_sum(const int* d_in, int* d_out, int n) {
  sum(d_in, d_out, n);
}
