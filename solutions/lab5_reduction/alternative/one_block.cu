// EXPECT: score < max [bandwidth]
// One block walks over the whole array.
#include "reduction.h"

#include <cuda_runtime.h>

#include <cstdio>

constexpr int BLOCK = 256;

template <typename T>
__global__ void block_sums(const T* in, T* out, int n) {
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
  block_sums<<<1, BLOCK>>>(d_in, d_out, n);
  failed(cudaGetLastError());
}

void reduce_sum(const float* d_in, float* d_out, int n) {
  sum(d_in, d_out, n);
}

void array_sum(const int* d_in, int* d_out, int n) {
  sum(d_in, d_out, n);
}
