// EXPECT: invalid-launch
// FIRST: invalid-launch at `grid_sum<<<blocks, BLOCK>>>(d_in, block_sums, d_out, n);`
// The blocks wait for each other in a launch by <<<>>>, which is not a cooperative one: the kernel ends there.
#include "reduction.h"

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>

namespace cg = cooperative_groups;

constexpr int BLOCK = 256;

template <typename T>
__device__ T sum_of_block(T value, T* sums) {
  const int t = threadIdx.x;
  sums[t] = value;
  __syncthreads();
  for (int stride = BLOCK / 2; stride > 0; stride /= 2) {
    if (t < stride) sums[t] += sums[t + stride];
    __syncthreads();
  }
  return sums[0];
}

template <typename T>
__global__ void grid_sum(const T* in, T* block_sums, T* out, int n) {
  __shared__ T sums[BLOCK];
  const cg::grid_group grid = cg::this_grid();
  T sum = 0;
  for (unsigned long long i = grid.thread_rank(); i < (unsigned long long)n; i += grid.size()) sum += in[i];
  sum = sum_of_block(sum, sums);
  if (threadIdx.x == 0) block_sums[blockIdx.x] = sum;
  grid.sync();
  if (blockIdx.x != 0) return;
  sum = 0;
  for (unsigned int i = threadIdx.x; i < gridDim.x; i += BLOCK) sum += block_sums[i];
  sum = sum_of_block(sum, sums);
  if (threadIdx.x == 0) *out = sum;
}

bool failed(cudaError_t error) {
  if (error != cudaSuccess) std::fprintf(stderr, "sum: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}

template <typename T>
void sum(const T* d_in, T* d_out, int n) {
  int each = 0, multiprocessors = 0;
  if (failed(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, grid_sum<T>, BLOCK, 0)) ||
      failed(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0)))
    return;
  const int blocks = std::max(1, std::min(each * multiprocessors, (n + BLOCK - 1) / BLOCK));
  T* block_sums = nullptr;
  if (failed(cudaMalloc(&block_sums, blocks * sizeof(T)))) return;
  // wrong: cudaLaunchCooperativeKernel((void*)grid_sum<T>, dim3(blocks), dim3(BLOCK), arguments, 0, 0)
  grid_sum<<<blocks, BLOCK>>>(d_in, block_sums, d_out, n);
  failed(cudaGetLastError());
  failed(cudaDeviceSynchronize());
  failed(cudaFree(block_sums));
}

void reduce_sum(const float* d_in, float* d_out, int n) {
  sum(d_in, d_out, n);
}

void array_sum(const int* d_in, int* d_out, int n) {
  sum(d_in, d_out, n);
}
