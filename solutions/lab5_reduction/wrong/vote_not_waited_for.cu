// EXPECT: shared-race, barrier-divergence
// FIRST: shared-race at `if (!last) return;`
// DIFFERS: one launch, whose last block adds up the sums of all
// Thread 0 finds out whether its block is the last; nothing makes the others wait for the answer.
#include "reduction.h"

#include <cuda_runtime.h>

#include <cstdio>

#define BLOCK 256

static bool bad(cudaError_t e) {
  if (e != cudaSuccess) fprintf(stderr, "sum: %s\n", cudaGetErrorString(e));
  return e != cudaSuccess;
}

template <typename T>
__device__ T fold(T* s, T v) {
  int tid = threadIdx.x;
  s[tid] = v;
  __syncthreads();  // fold load
  for (int stride = BLOCK / 2; stride > 0; stride /= 2) {
    if (tid < stride) s[tid] += s[tid + stride];
    __syncthreads();  // fold step
  }
  return s[0];
}

template <typename T>
__global__ void one_launch(const T* in, T* partial, unsigned* done, T* out, int n) {
  __shared__ T s[BLOCK];
  __shared__ bool last;
  T v = 0;
  for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) v += in[i];
  T sum = fold(s, v);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    __threadfence();                              // publish
    last = atomicAdd(done, 1u) == gridDim.x - 1;  // wrong: no __syncthreads() before `last` is read
  }
  if (!last) return;
  __threadfence();  // acquire
  v = 0;
  for (int i = threadIdx.x; i < gridDim.x; i += BLOCK) v += ((volatile T*)partial)[i];
  sum = fold(s, v);
  if (threadIdx.x == 0) *out = sum;
}

template <typename T>
void run(const T* d_in, T* d_out, int n) {
  int blocks = (n + BLOCK - 1) / BLOCK;
  if (blocks > 64) blocks = 64;
  if (blocks < 1) blocks = 1;
  T* d_partial = nullptr;
  unsigned* d_done = nullptr;
  if (!bad(cudaMalloc(&d_partial, blocks * sizeof(T))) && !bad(cudaMalloc(&d_done, sizeof(unsigned)))) {
    bad(cudaMemset(d_done, 0, sizeof(unsigned)));
    one_launch<T><<<blocks, BLOCK>>>(d_in, d_partial, d_done, d_out, n);
    bad(cudaGetLastError());
  }
  cudaFree(d_partial);
  cudaFree(d_done);
}

void reduce_sum(const float* d_in, float* d_out, int n) {
  run(d_in, d_out, n);
}
void array_sum(const int* d_in, int* d_out, int n) {
  run(d_in, d_out, n);
}
