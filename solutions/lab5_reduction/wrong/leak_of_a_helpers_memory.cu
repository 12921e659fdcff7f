// EXPECT: score < max [no_leaks]
// FIRST: memory-leak beside `// wrong: d_sums stays allocated`
// A helper allocates memory, and the way out that its caller takes when a launch fails does not free it.
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
T* room_for(int count) {
  T* room = nullptr;
  if (failed(cudaMalloc(&room, count * sizeof(T)))) return nullptr;
  return room;
}

template <typename T>
void sum(const T* d_in, T* d_out, int n) {
  const int blocks = n > BLOCK ? (n + BLOCK - 1) / BLOCK : 1;
  if (blocks == 1) {
    block_sums<<<1, BLOCK>>>(d_in, d_out, n);
    failed(cudaGetLastError());
    return;
  }
  T* d_sums = room_for<T>(blocks);
  if (d_sums == nullptr) return;
  block_sums<<<blocks, BLOCK>>>(d_in, d_sums, n);
  if (failed(cudaGetLastError())) return;  // wrong: d_sums stays allocated
  sum(d_sums, d_out, blocks);
  failed(cudaFree(d_sums));
}

void reduce_sum(const float* d_in, float* d_out, int n) {
  sum(d_in, d_out, n);
}

void array_sum(const int* d_in, int* d_out, int n) {
  sum(d_in, d_out, n);
}
