// Copy of alternative/warp_shuffles.cu: cut into functions.
#include "reduction.h"

#include <cuda_runtime.h>

#include <cstdio>

constexpr int BLOCK = 256, WARPS = BLOCK / 32;

template <typename T>
__device__ T sum_of_warp(T value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffff, value, offset);
  return value;
}

template <typename T>
__device__ T or_zero(const T* values, int place, int count) {
  return place < count ? values[place] : T(0);
}

template <typename T>
__global__ void block_sums(const T* in, T* out, int n) {
  __shared__ T sums[WARPS];
  const int t = threadIdx.x;
  T sum = sum_of_warp(or_zero(in, blockIdx.x * BLOCK + t, n));
  if (t % 32 == 0) sums[t / 32] = sum;
  __syncthreads();
  if (t >= 32) return;
  sum = sum_of_warp(or_zero(sums, t, WARPS));
  if (t == 0) out[blockIdx.x] = sum;
}

bool failed(cudaError_t error) {
  if (error != cudaSuccess) std::fprintf(stderr, "sum: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}

template <typename T>
bool launched(int blocks, const T* d_in, T* d_out, int n) {
  block_sums<<<blocks, BLOCK>>>(d_in, d_out, n);
  return !failed(cudaGetLastError());
}

template <typename T>
void sum(const T* d_in, T* d_out, int n);

template <typename T>
void sum_in_steps(const T* d_in, T* d_out, int n, int blocks) {
  T* d_sums = nullptr;
  if (failed(cudaMalloc(&d_sums, blocks * sizeof(T)))) return;
  if (launched(blocks, d_in, d_sums, n)) sum(d_sums, d_out, blocks);
  failed(cudaFree(d_sums));
}

template <typename T>
void sum(const T* d_in, T* d_out, int n) {
  const int blocks = n > BLOCK ? (n + BLOCK - 1) / BLOCK : 1;
  if (blocks == 1) {
    launched(1, d_in, d_out, n);
  } else {
    sum_in_steps(d_in, d_out, n, blocks);
  }
}

void reduce_sum(const float* d_in, float* d_out, int n) {
  sum(d_in, d_out, n);
}

void array_sum(const int* d_in, int* d_out, int n) {
  sum(d_in, d_out, n);
}
