// EXPECT: score < max [no_leaks]
// FIRST: memory-leak at `if (failed(cudaMalloc(&d_sums, blocks * sizeof(int)))) return;`
// DIFFERS: an object owns the sums of the floats, and nothing those of the integers
// The floats' sums are owned by an object. The integers' sums are not, and stay allocated when the second launch for
// them fails.
#include "reduction.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>

constexpr int BLOCK = 256, MOST_BLOCKS = 1024;

template <typename T>
__global__ void block_sums(const T* in, T* out, int n) {
  __shared__ T sums[BLOCK];
  const int t = threadIdx.x;
  T own = 0;
  for (int i = blockIdx.x * BLOCK + t; i < n; i += gridDim.x * BLOCK) own += in[i];
  sums[t] = own;
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

int blocks_for(int n) {
  return std::clamp((n + BLOCK - 1) / BLOCK, 1, MOST_BLOCKS);
}

class Floats {
 public:
  explicit Floats(int count) { failed(cudaMalloc(&data_, count * sizeof(float))); }
  ~Floats() { failed(cudaFree(data_)); }
  Floats(const Floats&) = delete;
  Floats& operator=(const Floats&) = delete;
  float* data() const { return data_; }

 private:
  float* data_ = nullptr;
};

void reduce_sum(const float* d_in, float* d_out, int n) {
  const int blocks = blocks_for(n);
  const Floats sums(blocks);
  if (sums.data() == nullptr) return;
  block_sums<<<blocks, BLOCK>>>(d_in, sums.data(), n);
  if (failed(cudaGetLastError())) return;
  block_sums<<<1, BLOCK>>>(sums.data(), d_out, blocks);
  failed(cudaGetLastError());
}

void array_sum(const int* d_in, int* d_out, int n) {
  const int blocks = blocks_for(n);
  int* d_sums = nullptr;
  if (failed(cudaMalloc(&d_sums, blocks * sizeof(int)))) return;
  block_sums<<<blocks, BLOCK>>>(d_in, d_sums, n);
  if (failed(cudaGetLastError())) {
    cudaFree(d_sums);
    return;
  }
  block_sums<<<1, BLOCK>>>(d_sums, d_out, blocks);
  if (failed(cudaGetLastError())) return;  // wrong: d_sums stays allocated
  failed(cudaFree(d_sums));
}
