// EXPECT: full marks
// The kernels are launched by cudaLaunchKernelEx, with an attribute that allows them to overlap.
#include "reduction.h"

#include <cuda_runtime.h>

#include <cstdio>

constexpr int BLOCK = 256;

template <typename T>
__global__ void block_sums(const T* in, T* out, int n) {
  __shared__ T sums[BLOCK];
  const int t = threadIdx.x;
  T sum = 0;
  for (long long i = (long long)blockIdx.x * BLOCK + t; i < n; i += (long long)gridDim.x * BLOCK) sum += in[i];
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
  constexpr int BLOCKS = 1024;
  T* sums = nullptr;
  if (failed(cudaMalloc(&sums, BLOCKS * sizeof(T)))) return;
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 0;
  cudaLaunchConfig_t config = {};
  config.gridDim = BLOCKS;
  config.blockDim = BLOCK;
  config.attrs = &attribute;
  config.numAttrs = 1;
  if (!failed(cudaLaunchKernelEx(&config, block_sums<T>, d_in, sums, n))) {
    config.gridDim = 1;
    failed(cudaLaunchKernelEx(&config, block_sums<T>, sums, d_out, BLOCKS));
  }
  failed(cudaFree(sums));
}

void reduce_sum(const float* d_in, float* d_out, int n) {
  sum(d_in, d_out, n);
}

void array_sum(const int* d_in, int* d_out, int n) {
  sum(d_in, d_out, n);
}
