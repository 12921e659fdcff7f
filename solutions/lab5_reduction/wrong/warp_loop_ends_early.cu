// EXPECT: result-mismatch
// FIRST: result-mismatch at `for (int step = kLanes / 2; step > 1; step >>= 1)`
// The lanes add in steps of 16, 8, 4 and 2, and the step of 1 is missing: half of what a warp has is left out.
// DIFFERS: names and helpers of its own, as another author would write them.
#include "reduction.h"

#include <cuda_runtime.h>

#include <cstdio>

constexpr int kLanes = 32, kWarps = 8;

template <typename T>
__device__ T sum_of_lanes(T own) {
  for (int step = kLanes / 2; step > 1; step >>= 1) own += __shfl_xor_sync(0xffffffffu, own, step);  // wrong: step > 0
  return own;
}

template <typename T>
__global__ void sum_of_block(const T* in, T* sums, int n) {
  __shared__ T of_warp[kWarps];
  const int place = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % kLanes;
  const T mine = sum_of_lanes(place < n ? in[place] : T(0));
  if (lane == 0) of_warp[threadIdx.x / kLanes] = mine;
  __syncthreads();
  if (threadIdx.x == 0) {
    T all = 0;
    for (int warp = 0; warp < kWarps; ++warp) all += of_warp[warp];
    sums[blockIdx.x] = all;
  }
}

bool went_wrong(cudaError_t status) {
  if (status != cudaSuccess) std::fprintf(stderr, "sum: %s\n", cudaGetErrorString(status));
  return status != cudaSuccess;
}

template <typename T>
void add_up(const T* d_values, T* d_sum, int n) {
  constexpr int kThreads = kLanes * kWarps;
  if (n <= kThreads) {
    sum_of_block<<<1, kThreads>>>(d_values, d_sum, n);
    went_wrong(cudaGetLastError());
    return;
  }
  const int blocks = (n + kThreads - 1) / kThreads;
  T* d_sums = nullptr;
  if (went_wrong(cudaMalloc(&d_sums, blocks * sizeof(T)))) return;
  sum_of_block<<<blocks, kThreads>>>(d_values, d_sums, n);
  if (!went_wrong(cudaGetLastError())) add_up<T>(d_sums, d_sum, blocks);
  went_wrong(cudaFree(d_sums));
}

void reduce_sum(const float* d_in, float* d_out, int n) {
  add_up(d_in, d_out, n);
}

void array_sum(const int* d_in, int* d_out, int n) {
  add_up(d_in, d_out, n);
}
