// EXPECT: global-out-of-bounds
// FIRST: global-out-of-bounds at `if (threadIdx.x == 0) partials<T>[blockIdx.x] = s[0];`
// The __device__ array for the block sums has 1,024 places, but the grid has a block for each 256 elements: more than
// 2^18 elements write past its end.
#include "reduction.h"

#include <cuda_runtime.h>

#include <cstdio>

#define N_THREADS 256
#define MAX_PARTIALS 1024

template <typename T>
__device__ T partials[MAX_PARTIALS];

template <typename T>
__device__ void fold(T* s) {
  for (unsigned h = N_THREADS / 2; h > 0; h /= 2) {
    __syncthreads();
    if (threadIdx.x < h) s[threadIdx.x] += s[threadIdx.x + h];
  }
}

template <typename T>
__global__ void stage1(const T* in, unsigned n) {
  __shared__ T s[N_THREADS];
  const unsigned i = blockIdx.x * N_THREADS + threadIdx.x;
  s[threadIdx.x] = i < n ? in[i] : T(0);
  fold(s);
  if (threadIdx.x == 0) partials<T>[blockIdx.x] = s[0];  // wrong: as many places as blocks
}

template <typename T>
__global__ void stage2(unsigned count, T* out) {
  __shared__ T s[N_THREADS];
  T v = 0;
  for (unsigned i = threadIdx.x; i < count; i += N_THREADS) v += partials<T>[i];
  s[threadIdx.x] = v;
  fold(s);
  if (threadIdx.x == 0) *out = s[0];
}

template <typename T>
void sum(const T* in, T* out, int n) {
  const unsigned blocks = (unsigned(n) + N_THREADS - 1) / N_THREADS;
  cudaError_t e = cudaSuccess;
  if (blocks > 0) {
    stage1<T><<<blocks, N_THREADS>>>(in, n);
    e = cudaGetLastError();
    if (e != cudaSuccess) std::fprintf(stderr, "stage1: %s\n", cudaGetErrorString(e));
  }
  stage2<T><<<1, N_THREADS>>>(blocks, out);
  e = cudaGetLastError();
  if (e != cudaSuccess) std::fprintf(stderr, "stage2: %s\n", cudaGetErrorString(e));
}

void reduce_sum(const float* d_in, float* d_out, int n) {
  sum(d_in, d_out, n);
}
void array_sum(const int* d_in, int* d_out, int n) {
  sum(d_in, d_out, n);
}
