// Grids that need what their launch does not give: refused, ended by the kernel, or with a race.
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

__global__ void adds_up(int* partial, int* out) {
  if (threadIdx.x == 0) partial[blockIdx.x] = 1;
  __syncthreads();  // of the block only
  if (cg::this_grid().thread_rank() == 0) {
    for (unsigned int block = 0; block < gridDim.x; ++block) {
      out[0] += partial[block];  // races
    }
  }
}

__global__ void waits(int* out) {
  cg::this_grid().sync();
  out[cg::this_grid().thread_rank()] = 1;
}

int main() {
  int *partial, *out;
  CHECK(cudaMalloc(&partial, 1024));
  CHECK(cudaMalloc(&out, 4096));
  CHECK(cudaMemset(partial, 0, 1024));
  CHECK(cudaMemset(out, 0, 4096));
  void* arguments[] = {&partial, &out};
  CHECK(cudaLaunchCooperativeKernel((const void*)adds_up, 4, 32, arguments, 0, 0));
  CHECK(cudaDeviceSynchronize());

  const dim3 most(1u << 20);
  const cudaError_t refused = cudaLaunchCooperativeKernel((const void*)adds_up, most, 32, arguments, 0, 0);  // too large
  std::printf("%s\n", cudaGetErrorName(refused));
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 2;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = 4;
  config.blockDim = 32;
  config.attrs = &attribute;
  config.numAttrs = 1;
  std::printf("%s\n", cudaGetErrorName(cudaLaunchKernelEx(&config, adds_up, partial, out)));  // in clusters
  attribute.id = static_cast<cudaLaunchAttributeID>(1000);
  std::printf("%s\n", cudaGetErrorName(cudaLaunchKernelEx(&config, adds_up, partial, out)));

  waits<<<4, 32>>>(out);  // not a cooperative launch
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
