// Kernels that start kernels: what they start runs when their grid has ended, each with all that it has started itself
// before the next one, and what is launched to the tail last.
#include <cstdio>

#include "check.h"

__device__ int order[64];
__device__ int next_place;

__global__ void note(int what) {
  order[next_place++] = what;
}

__global__ void descend(int depth, int what) {
  note<<<1, 1>>>(what);
  if (depth > 0) {
    descend<<<1, 1>>>(depth - 1, 10 * what + 1);
    descend<<<1, 1>>>(depth - 1, 10 * what + 2);
  }
}

__global__ void with_tail() {
  note<<<1, 1, 0, cudaStreamTailLaunch>>>(3);
  note<<<1, 1>>>(1);
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  note<<<1, 1, 0, stream>>>(2);
  cudaStreamDestroy(stream);
}

__global__ void scale(float* values, float factor, int count) {
  extern __shared__ float part[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < count ? values[i] : 0;
  if (i < count) values[i] = factor * part[threadIdx.x];
}

// One child for each block of the parent, with arguments of its own; then a copy.
__global__ void split(float* values, float* copy, int count, int each) {
  if (threadIdx.x != 0) return;
  const int first = blockIdx.x * each;
  const int own = min(each, count - first);
  scale<<<(own + 31) / 32, 32, 32 * sizeof(float)>>>(values + first, blockIdx.x + 1.0F, own);
  cudaMemcpyAsync(copy + first, values + first, own * sizeof(float), cudaMemcpyDeviceToDevice);
  if (blockIdx.x == 0) cudaMemsetAsync(copy + count, 0xFF, sizeof(float));
}

__global__ void allocate(int** kept) {
  cudaMalloc(kept, 4 * sizeof(int));
  for (int i = 0; i < 4; ++i) (*kept)[i] = i;
}

__global__ void use_and_free(int* kept, int* sum) {
  for (int i = 0; i < 4; ++i) *sum += kept[i];
  cudaFree(kept);
}

__global__ void launch_too_large(int* error) {
  note<<<1, 4096>>>(4);  // MARK: too many threads
  *error = cudaGetLastError();
}

__global__ void say_error() {
  std::printf("%s, %s", cudaGetErrorString(cudaErrorInvalidConfiguration), cudaGetErrorName(cudaErrorMemoryAllocation));
  std::printf(", %s\n", cudaGetErrorString(static_cast<cudaError_t>(-1)));
}

// Each level overwrites what the one above it has noted.
__global__ void chain(int level, int* deepest) {
  chain<<<1, 1>>>(level + 1, deepest);
  deepest[0] = level;
  deepest[1] = cudaGetLastError();
}

void print_order() {
  int places[64], count = 0;
  CHECK(cudaMemcpyFromSymbol(&count, next_place, sizeof count));
  CHECK(cudaMemcpyFromSymbol(places, order, sizeof places));
  for (int i = 0; i < count; ++i) std::printf("%d ", places[i]);
  std::printf("\n");
  count = 0;
  CHECK(cudaMemcpyToSymbol(next_place, &count, sizeof count));
}

int main() {
  descend<<<1, 1>>>(2, 1);
  CHECK(cudaDeviceSynchronize());
  print_order();
  with_tail<<<1, 1>>>();
  print_order();

  constexpr int kCount = 100, kEach = 40;
  float host[kCount + 1];
  for (int i = 0; i < kCount; ++i) host[i] = i;
  float *values, *copy;
  CHECK(cudaMalloc(&values, kCount * sizeof(float)));
  CHECK(cudaMalloc(&copy, sizeof host));
  CHECK(cudaMemcpy(values, host, kCount * sizeof(float), cudaMemcpyHostToDevice));
  split<<<3, 64>>>(values, copy, kCount, kEach);
  CHECK(cudaMemcpy(host, copy, sizeof host, cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < kCount; ++i) wrong += host[i] != i * (i / kEach + 1.0F);
  std::printf("%d wrong, then %s\n", wrong, host[kCount] == host[kCount] ? "a number" : "NaN");

  int **kept, *sum, *block;
  CHECK(cudaMallocManaged(&kept, sizeof *kept));
  CHECK(cudaMallocManaged(&sum, sizeof *sum));
  allocate<<<1, 1>>>(kept);
  CHECK(cudaDeviceSynchronize());
  block = *kept;
  *sum = 0;
  use_and_free<<<1, 1>>>(block, sum);
  CHECK(cudaDeviceSynchronize());
  std::printf("sum %d\n", *sum);
  launch_too_large<<<1, 1>>>(sum);
  CHECK(cudaDeviceSynchronize());
  std::printf("error %d\n", *sum);
  CHECK(cudaFree(sum));
  CHECK(cudaMallocManaged(&sum, 2 * sizeof *sum));
  chain<<<1, 1>>>(0, sum);
  CHECK(cudaDeviceSynchronize());
  std::printf("level %d, error %d\n", sum[0], sum[1]);
  say_error<<<1, 1>>>();
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(sum));
  CHECK(cudaFree(kept));
  CHECK(cudaFree(copy));
  CHECK(cudaFree(values));
}
