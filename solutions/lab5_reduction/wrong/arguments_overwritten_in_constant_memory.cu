// EXPECT: stream-race
// FIRST: stream-race at `e = cudaMemcpyToSymbolAsync(job, &second, sizeof second, 0, cudaMemcpyHostToDevice,`
// The second kernel's arguments are copied to constant memory in another stream, while the first kernel may still read
// its own there.
#include "reduction.h"

#include <cuda_runtime.h>
#include <stdio.h>

struct Job {
  const void* in;
  void* out;
  long long n;
};

__constant__ Job job;

static const int kThreads = 256;

template <typename T>
__global__ void perform() {
  __shared__ T s[kThreads];
  const T* in = (const T*)job.in;
  T v = 0;
  for (long long i = blockIdx.x * (long long)kThreads + threadIdx.x; i < job.n; i += kThreads * (long long)gridDim.x)
    v += in[i];
  s[threadIdx.x] = v;
  __syncthreads();
  for (unsigned h = kThreads / 2; h > 0; h >>= 1) {
    if (threadIdx.x < h) s[threadIdx.x] += s[threadIdx.x + h];
    __syncthreads();
  }
  if (threadIdx.x == 0) ((T*)job.out)[blockIdx.x] = s[0];
}

template <typename T>
static void sum(const T* in, T* out, int n) {
  const int blocks = n / kThreads < 1024 ? n / kThreads + 1 : 1024;
  cudaStream_t copies = NULL;
  T* sums = NULL;
  cudaError_t e = cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking);
  if (e == cudaSuccess) e = cudaMalloc(&sums, blocks * sizeof(T));
  const Job first = {in, sums, n}, second = {sums, out, blocks};
  if (e == cudaSuccess) e = cudaMemcpyToSymbol(job, &first, sizeof first);
  if (e == cudaSuccess) {
    perform<T><<<blocks, kThreads>>>();
    e = cudaGetLastError();
  }
  if (e == cudaSuccess)
    e = cudaMemcpyToSymbolAsync(job, &second, sizeof second, 0, cudaMemcpyHostToDevice,
                                copies);  // wrong: in the kernels' stream
  if (e == cudaSuccess) e = cudaStreamSynchronize(copies);
  if (e == cudaSuccess) {
    perform<T><<<1, kThreads>>>();
    e = cudaGetLastError();
  }
  if (e != cudaSuccess) fprintf(stderr, "sum: %s\n", cudaGetErrorString(e));
  if (sums) cudaFree(sums);
  if (copies) cudaStreamDestroy(copies);
}

void reduce_sum(const float* d_in, float* d_out, int n) {
  sum(d_in, d_out, n);
}
void array_sum(const int* d_in, int* d_out, int n) {
  sum(d_in, d_out, n);
}
