// EXPECT: computed-on-the-host
// FIRST: computed-on-the-host at `cudaMemcpy(d_out, &total, sizeof(T), cudaMemcpyHostToDevice);`
#include "reduction.h"

#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

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

template <typename T>
void sum(const T* d_in, T* d_out, int n) {
  const int blocks = n > BLOCK ? (n + BLOCK - 1) / BLOCK : 1;
  T* d_sums = nullptr;
  if (cudaMalloc(&d_sums, blocks * sizeof(T)) != cudaSuccess) return;
  block_sums<<<blocks, BLOCK>>>(d_in, d_sums, n);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "sum: %s\n", cudaGetErrorString(error));
  std::vector<T> sums(blocks);
  cudaMemcpy(sums.data(), d_sums, blocks * sizeof(T), cudaMemcpyDeviceToHost);
  T total = 0;
  for (const T value : sums) total += value;  // wrong: on the host; right: block_sums again, until one sum is left
  cudaMemcpy(d_out, &total, sizeof(T), cudaMemcpyHostToDevice);
  cudaFree(d_sums);
}

void reduce_sum(const float* d_in, float* d_out, int n) {
  sum(d_in, d_out, n);
}

void array_sum(const int* d_in, int* d_out, int n) {
  sum(d_in, d_out, n);
}
