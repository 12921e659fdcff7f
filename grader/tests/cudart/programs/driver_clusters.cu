// Clusters of blocks by the driver's calls. The kernel is loaded as PTX, which the argument names.
#include <cooperative_groups.h>
#include <cuda.h>

#include "check.h"

extern "C" __global__ void ranks(unsigned* out) {
  const cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
  if (threadIdx.x == 0) out[blockIdx.x] = 10 * cluster.num_blocks() + cluster.block_rank();
}

int main(int, char** argv) {
  CUdevice device = 0;
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUfunction kernel = nullptr;
  CUdeviceptr out = 0;
  cuInit(0);
  cuDeviceGet(&device, 0);
  cuDevicePrimaryCtxRetain(&context, device);
  cuCtxSetCurrent(context);
  expect(
      cuModuleLoad(&module, argv[1]) == CUDA_SUCCESS && cuModuleGetFunction(&kernel, module, "ranks") == CUDA_SUCCESS,
      "loaded");
  cuMemAlloc(&out, 4 * sizeof(unsigned));
  void* arguments[] = {&out};
  CUlaunchAttribute attribute{};
  attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attribute.value.clusterDim.x = 2;
  attribute.value.clusterDim.y = attribute.value.clusterDim.z = 1;
  CUlaunchConfig config{4, 1, 1, 32, 1, 1, 0, nullptr, &attribute, 1};
  unsigned seen[4] = {};
  expect(cuLaunchKernelEx(&config, kernel, arguments, nullptr) == CUDA_SUCCESS, "launched");
  expect(cuMemcpyDtoH(seen, out, sizeof seen) == CUDA_SUCCESS && seen[0] == 20 && seen[1] == 21 && seen[2] == 20 &&
             seen[3] == 21,
         "pairs");
  config.gridDimX = 3;
  const CUresult refused = cuLaunchKernelEx(&config, kernel, arguments, nullptr);  // three
  const char* name = nullptr;
  cuGetErrorName(refused, &name);
  std::printf("%s\n", name == nullptr ? "no name" : name);
  config.gridDimX = 4;
  config.blockDimX = 256;
  int clusters = 0, blocks = 0, allowed = -1;
  expect(cuOccupancyMaxActiveClusters(&clusters, kernel, &config) == CUDA_SUCCESS && clusters == 528, "at a time");
  expect(cuOccupancyMaxPotentialClusterSize(&blocks, kernel, &config) == CUDA_SUCCESS && blocks == 8, "at most");
  const CUfunction_attribute large = CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED;
  expect(cuFuncSetAttribute(kernel, large, 1) == CUDA_SUCCESS &&
             cuFuncGetAttribute(&allowed, large, kernel) == CUDA_SUCCESS && allowed == 1,
         "more blocks");
  expect(cuOccupancyMaxPotentialClusterSize(&blocks, kernel, &config) == CUDA_SUCCESS && blocks == 16, "then at most");
  expect(cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, 2) == CUDA_ERROR_NOT_SUPPORTED,
         "a required size");  // required
  cuMemFree(out);
}
