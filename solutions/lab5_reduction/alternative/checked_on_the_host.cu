// EXPECT: full marks
// ON CUDA: score < max [bandwidth]
// The kernels add; the host reads their sum back only to compare it with its own, and says so when they differ.
#include "reduction.h"

#include <cuda_runtime.h>

#include <cmath>
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

template <typename T>
void compare(const T* d_in, const T* d_out, int n) {
  std::vector<T> values(n);
  T sum{};
  if (n > 0 && failed(cudaMemcpy(values.data(), d_in, n * sizeof(T), cudaMemcpyDeviceToHost))) return;
  if (failed(cudaMemcpy(&sum, d_out, sizeof(T), cudaMemcpyDeviceToHost))) return;
  double expected = 0, magnitudes = 0;
  for (const T value : values) {
    expected += value;
    magnitudes += std::abs(static_cast<double>(value));
  }
  if (std::abs(sum - expected) > 1e-3 * magnitudes) std::fprintf(stderr, "sum: %g, not %g\n", double(sum), expected);
}

void reduce_sum(const float* d_in, float* d_out, int n) {
  sum(d_in, d_out, n);
  compare(d_in, d_out, n);
}

void array_sum(const int* d_in, int* d_out, int n) {
  sum(d_in, d_out, n);
  compare(d_in, d_out, n);
}
