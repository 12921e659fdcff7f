// Threads read what they have asked for before it has come.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include "check.h"

namespace cg = cooperative_groups;

__global__ void read_early(const int* in, int* out) {
  __shared__ int values[32];
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  cg::memcpy_async(warp, values, in, sizeof values);
  out[threadIdx.x] = values[threadIdx.x];  // too early
  cg::wait(warp);
}

int main() {
  int *device_in, *device_out;
  CHECK(cudaMalloc(&device_in, 32 * sizeof(int)));
  CHECK(cudaMalloc(&device_out, 32 * sizeof(int)));
  CHECK(cudaMemset(device_in, 1, 32 * sizeof(int)));
  read_early<<<1, 32>>>(device_in, device_out);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(device_in));
  CHECK(cudaFree(device_out));
}
