// The sum of 1 to N: `sum N`, or `sum N racy` with a kernel that has no barriers.
#include <cstdio>
#include <cstdlib>
#include <vector>

template <bool kBarriers>
__global__ void sum_of_block(const int* values, int count, int* sums) {
  __shared__ int partial[256];
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  partial[threadIdx.x] = index < count ? values[index] : 0;
  for (unsigned width = blockDim.x / 2; width > 0; width /= 2) {
    if (kBarriers) __syncthreads();
    if (threadIdx.x < width) partial[threadIdx.x] += partial[threadIdx.x + width];
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = partial[0];
}

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  std::exit(1);
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 1000, blocks = (count + 255) / 256;
  std::vector<int> values(count), sums(blocks);
  for (int i = 0; i < count; ++i) values[i] = i + 1;
  int *device_values = nullptr, *device_sums = nullptr;
  check(cudaMalloc(&device_values, count * sizeof(int)));
  check(cudaMalloc(&device_sums, blocks * sizeof(int)));
  check(cudaMemcpy(device_values, values.data(), count * sizeof(int), cudaMemcpyHostToDevice));
  if (argc > 2)
    sum_of_block<false><<<blocks, 256>>>(device_values, count, device_sums);
  else
    sum_of_block<true><<<blocks, 256>>>(device_values, count, device_sums);
  check(cudaGetLastError());
  check(cudaMemcpy(sums.data(), device_sums, blocks * sizeof(int), cudaMemcpyDeviceToHost));
  check(cudaFree(device_values));
  check(cudaFree(device_sums));
  long total = 0;
  for (int sum : sums) total += sum;
  std::printf("%ld\n", total);
  return argc > 2 || total == static_cast<long>(count) * (count + 1) / 2 ? 0 : 1;
}
