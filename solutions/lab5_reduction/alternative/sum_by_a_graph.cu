// EXPECT: full marks
// The launches are captured into a graph, which is launched once.
#include "reduction.h"

#include <cuda_runtime.h>

#include <cstdio>

constexpr int BLOCK = 256, BLOCKS = 256;

template <typename T>
__global__ void block_sums(const T* in, T* out, int n) {
  __shared__ T sums[BLOCK];
  const int t = threadIdx.x;
  T sum = 0;
  for (int i = blockIdx.x * BLOCK + t; i < n; i += gridDim.x * BLOCK) sum += in[i];
  sums[t] = sum;
  __syncthreads();
  if (t >= 32) return;
  for (int other = t + 32; other < BLOCK; other += 32) sum += sums[other];
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_xor_sync(0xffffffff, sum, lanes);
  if (t == 0) out[blockIdx.x] = sum;
}

bool failed(cudaError_t error) {
  if (error != cudaSuccess) std::fprintf(stderr, "sum: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}

template <typename T>
void sum(const T* d_in, T* d_out, int n) {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  T* sums = nullptr;
  if (failed(cudaStreamCreate(&stream))) return;
  if (!failed(cudaMalloc(&sums, BLOCKS * sizeof(T)))) {
    if (!failed(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal))) {
      block_sums<<<BLOCKS, BLOCK, 0, stream>>>(d_in, sums, n);
      block_sums<<<1, BLOCK, 0, stream>>>(sums, d_out, BLOCKS);
      if (!failed(cudaStreamEndCapture(stream, &graph)) && !failed(cudaGraphInstantiate(&executable, graph, 0))) {
        failed(cudaGraphLaunch(executable, stream));
        failed(cudaStreamSynchronize(stream));
        failed(cudaGraphExecDestroy(executable));
        failed(cudaGraphDestroy(graph));
      }
    }
    failed(cudaFree(sums));
  }
  failed(cudaStreamDestroy(stream));
}

void reduce_sum(const float* d_in, float* d_out, int n) {
  sum(d_in, d_out, n);
}

void array_sum(const int* d_in, int* d_out, int n) {
  sum(d_in, d_out, n);
}
