// EXPECT: global-race
// FIRST: global-race at `if (i == 0) *out = T(0);`
// One block sets the result to 0 while others add to it already.
#include "reduction.h"

#include <cuda_runtime.h>

#include <cstdio>

constexpr int BLOCK = 256;

__device__ int as_bits(float value) {
  return __float_as_int(value);
}
__device__ int as_bits(int value) {
  return value;
}
__device__ void from_bits(int bits, float& value) {
  value = __int_as_float(bits);
}
__device__ void from_bits(int bits, int& value) {
  value = bits;
}

template <typename T>
__device__ void add(T* address, T value) {
  int* bits = reinterpret_cast<int*>(address);
  int old = *bits, assumed;
  do {
    assumed = old;
    T sum;
    from_bits(assumed, sum);
    old = atomicCAS(bits, assumed, as_bits(sum + value));
  } while (assumed != old);
}

template <typename T>
__global__ void block_sums(const T* in, T* out, int n) {
  __shared__ T sums[BLOCK];
  const int t = threadIdx.x;
  const int i = blockIdx.x * BLOCK + t;
  if (i == 0) *out = T(0);  // wrong: before the launch, with cudaMemset
  sums[t] = i < n ? in[i] : T(0);
  __syncthreads();
  for (int stride = BLOCK / 2; stride > 0; stride /= 2) {
    if (t < stride) sums[t] += sums[t + stride];
    __syncthreads();
  }
  if (t == 0) add(out, sums[0]);
}

bool failed(cudaError_t error) {
  if (error != cudaSuccess) std::fprintf(stderr, "sum: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}

template <typename T>
void sum(const T* d_in, T* d_out, int n) {
  const int blocks = n > BLOCK ? (n + BLOCK - 1) / BLOCK : 1;
  block_sums<<<blocks, BLOCK>>>(d_in, d_out, n);
  failed(cudaGetLastError());
}

void reduce_sum(const float* d_in, float* d_out, int n) {
  sum(d_in, d_out, n);
}

void array_sum(const int* d_in, int* d_out, int n) {
  sum(d_in, d_out, n);
}
