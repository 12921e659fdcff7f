// EXPECT: full marks with shared-race
// The last steps of one warp count on `volatile`, as code for GPUs before Volta does: warnings, and results as then.
#include "reduction.h"

#include <cuda_runtime.h>

#include <cstdio>

constexpr int THREADS = 128, ELEMENTS = 2 * THREADS;

template <typename T>
__device__ void add_in_warp(volatile T* part, int lane) {
  part[lane] += part[lane + 32];
  part[lane] += part[lane + 16];
  part[lane] += part[lane + 8];
  part[lane] += part[lane + 4];
  part[lane] += part[lane + 2];
  part[lane] += part[lane + 1];
}

template <typename T>
__global__ void add_two_each(const T* in, T* out, int n) {
  __shared__ T part[THREADS];
  const int first = blockIdx.x * ELEMENTS + threadIdx.x, second = first + THREADS;
  T own = 0;
  if (first < n) own = in[first];
  if (second < n) own += in[second];
  part[threadIdx.x] = own;
  __syncthreads();
  if (threadIdx.x < 64) part[threadIdx.x] += part[threadIdx.x + 64];
  __syncthreads();
  if (threadIdx.x < 32) add_in_warp<T>(part, threadIdx.x);
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

bool works(cudaError_t error) {
  if (error != cudaSuccess) std::fprintf(stderr, "sum: %s\n", cudaGetErrorString(error));
  return error == cudaSuccess;
}

// From array to array, each shorter than the last, until one element is left.
template <typename T>
void add_up(const T* in, T* result, int n) {
  T* parts = nullptr;
  while (n > ELEMENTS) {
    const int blocks = (n + ELEMENTS - 1) / ELEMENTS;
    T* shorter = nullptr;
    if (!works(cudaMalloc(&shorter, blocks * sizeof(T)))) break;
    add_two_each<<<blocks, THREADS>>>(in, shorter, n);
    works(cudaGetLastError());
    if (parts != nullptr) works(cudaFree(parts));
    in = parts = shorter;
    n = blocks;
  }
  add_two_each<<<1, THREADS>>>(in, result, n);
  works(cudaGetLastError());
  if (parts != nullptr) works(cudaFree(parts));
}

void reduce_sum(const float* d_in, float* d_out, int n) {
  add_up(d_in, d_out, n);
}

void array_sum(const int* d_in, int* d_out, int n) {
  add_up(d_in, d_out, n);
}
