// Cooperative groups and half precision.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>

#include "check.h"

namespace cg = cooperative_groups;

__global__ void groups(int* sums, int* ranks) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<8>(block);
  const int value = static_cast<int>(block.thread_rank());
  const int sum = cg::reduce(tile, value, cg::plus<int>());
  const int largest = cg::reduce(tile, value, cg::greater<int>());
  block.sync();
  sums[block.thread_rank()] = sum + 1000 * largest;
  ranks[block.thread_rank()] =
      static_cast<int>(tile.thread_rank() + 100 * tile.meta_group_rank() + 10000 * tile.size());
}

__global__ void halves(const float* in, float* out, __half2* pairs) {
  const int i = threadIdx.x;
  const __half a = __float2half(in[i]), b = __float2half(in[i + 32]);
  out[i] = __half2float(__hfma(a, b, a)) + static_cast<float>(a + b) * 1000.0f;
  pairs[i] = __hmul2(__halves2half2(a, b), __float2half2_rn(2.0f));
}

int main() {
  int *device_sums, *device_ranks, sums[64], ranks[64];
  CHECK(cudaMalloc(&device_sums, sizeof sums));
  CHECK(cudaMalloc(&device_ranks, sizeof ranks));
  groups<<<1, 64>>>(device_sums, device_ranks);
  CHECK(cudaMemcpy(sums, device_sums, sizeof sums, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(ranks, device_ranks, sizeof ranks, cudaMemcpyDeviceToHost));
  bool right = true;
  for (int i = 0; i < 64; ++i) {
    const int first = i / 8 * 8;
    right = right && sums[i] == 8 * first + 28 + 1000 * (first + 7) && ranks[i] == i % 8 + 100 * (i / 8) + 80000;
  }
  expect(right, "groups");

  float in[64], out[32], *device_in, *device_out;
  __half2 pairs[32], *device_pairs;
  for (int i = 0; i < 64; ++i) in[i] = static_cast<float>(i) * 0.25f - 3.0f;
  CHECK(cudaMalloc(&device_in, sizeof in));
  CHECK(cudaMalloc(&device_out, sizeof out));
  CHECK(cudaMalloc(&device_pairs, sizeof pairs));
  CHECK(cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice));
  halves<<<1, 32>>>(device_in, device_out, device_pairs);
  CHECK(cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(pairs, device_pairs, sizeof pairs, cudaMemcpyDeviceToHost));
  right = true;
  for (int i = 0; i < 32; ++i) {
    const __half a = in[i], b = in[i + 32];
    const float x = in[i], y = in[i + 32];  // quarters: x * y + x is exact in float
    right = right && out[i] == __half2float(__float2half(x * y + x)) + __half2float(a + b) * 1000.0f;
    right = right && __low2float(pairs[i]) == 2 * in[i] && __high2float(pairs[i]) == 2 * in[i + 32];
  }
  expect(right, "halves");
  CHECK(cudaFree(device_sums));
  CHECK(cudaFree(device_ranks));
  CHECK(cudaFree(device_in));
  CHECK(cudaFree(device_out));
  CHECK(cudaFree(device_pairs));
}
