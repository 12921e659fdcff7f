// Launches by configuration, cooperative ones among them, and what blocks that wait for each other compute.
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

__global__ void scale(float* values, int n, float factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= factor;
}

// Each block leaves its sum, then the first adds them up; and again, so that the barrier is used more than once.
__global__ void sum_twice(const int* in, int n, int* partial, int* out) {
  const cg::grid_group grid = cg::this_grid();
  for (int round = 0; round < 2; ++round) {
    if (threadIdx.x == 0) partial[blockIdx.x] = 0;
    __syncthreads();
    int sum = 0;
    for (unsigned long long i = grid.thread_rank(); i < static_cast<unsigned long long>(n); i += grid.size())
      sum += in[i];
    atomicAdd(&partial[blockIdx.x], sum);
    grid.sync();
    if (grid.thread_rank() == 0) {
      int total = 0;
      for (unsigned int block = 0; block < gridDim.x; ++block) total += partial[block];
      out[round] = grid.is_valid() ? total : -1;
    }
    grid.sync();
  }
}

int main() {
  int cooperative = 0, blocks = 0, multiprocessors = 0;
  CHECK(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, 0));
  CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  expect(cooperative == 1, "the device can launch cooperatively");
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sum_twice, 128, 0));

  constexpr int n = 10000;
  static int in[n];
  int expected = 0;
  for (int i = 0; i < n; ++i) expected += in[i] = i % 7;
  const int grid = blocks * multiprocessors < 48 ? blocks * multiprocessors : 48;
  int *device_in, *partial, *out, result[2] = {};
  CHECK(cudaMalloc(&device_in, sizeof in));
  CHECK(cudaMalloc(&partial, sizeof(int) * grid));
  CHECK(cudaMalloc(&out, sizeof result));
  CHECK(cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice));
  const int* input = device_in;
  int count = n;
  void* arguments[] = {&input, &count, &partial, &out};
  CHECK(cudaLaunchCooperativeKernel(sum_twice, dim3(grid), dim3(128), arguments, 0, 0));
  CHECK(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
  expect(result[0] == expected && result[1] == expected, "a cooperative launch");
  cudaLaunchAttribute attributes[2] = {};
  attributes[0].id = cudaLaunchAttributeCooperative;
  attributes[0].val.cooperative = 1;
  attributes[1].id = cudaLaunchAttributePriority;
  attributes[1].val.priority = -1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(grid);
  config.blockDim = dim3(128);
  config.attrs = attributes;
  config.numAttrs = 2;
  CHECK(cudaMemset(out, 0, sizeof result));
  CHECK(cudaLaunchKernelEx(&config, sum_twice, device_in, n, partial, out));
  CHECK(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
  expect(result[0] == expected && result[1] == expected, "a cooperative launch by its configuration");

  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  float values[100], *device_values;
  for (int i = 0; i < 100; ++i) values[i] = static_cast<float>(i);
  CHECK(cudaMalloc(&device_values, sizeof values));
  CHECK(cudaMemcpy(device_values, values, sizeof values, cudaMemcpyHostToDevice));
  attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[0].val.programmaticStreamSerializationAllowed = 1;
  config.gridDim = dim3(4);
  config.blockDim = dim3(32);
  config.stream = stream;
  CHECK(cudaLaunchKernelEx(&config, scale, device_values, 100, 2));  // an int that becomes a float
  float factor = 2;
  void* scale_arguments[] = {&device_values, &count, &factor};
  count = 100;
  CHECK(cudaLaunchKernelExC(&config, (const void*)scale, scale_arguments));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaMemcpy(values, device_values, sizeof values, cudaMemcpyDeviceToHost));
  bool right = true;
  for (int i = 0; i < 100; ++i) right = right && values[i] == 4.0f * static_cast<float>(i);
  expect(right, "launches by configuration");

  CHECK(cudaStreamDestroy(stream));
  for (void* each : {(void*)device_in, (void*)partial, (void*)out, (void*)device_values}) CHECK(cudaFree(each));
}
