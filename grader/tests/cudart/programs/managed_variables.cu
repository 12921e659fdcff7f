// __managed__ variables: the host and kernels use them by their names.
#include "check.h"

struct Pair {
  int first, second;
};

__managed__ int counter = 5;
__device__ __managed__ float table[3000];
static __managed__ Pair pair = {1, 2};

__global__ void change() {
  if (threadIdx.x == 0) {
    counter += 1;
    pair.second = pair.first * 10;
  }
  for (int i = threadIdx.x; i < 3000; i += blockDim.x) table[i] = table[i] + i;
}

__global__ void increment(int* value) {
  *value += 1;
}

int main() {
  counter += 10;
  pair.first = 7;
  for (int i = 0; i < 3000; ++i) table[i] = 0.5f;
  change<<<1, 64>>>();
  CHECK(cudaDeviceSynchronize());
  expect(counter == 16 && pair.second == 70, "values");
  expect(table[0] == 0.5f && table[2999] == 2999.5f, "array");
  increment<<<1, 1>>>(&counter);  // its address is the same for both
  CHECK(cudaDeviceSynchronize());
  expect(counter == 17, "by address");
  int copy = 0;
  CHECK(cudaMemcpyFromSymbol(&copy, counter, sizeof copy));
  expect(copy == 17, "by symbol");
  cudaPointerAttributes attributes;
  CHECK(cudaPointerGetAttributes(&attributes, table));
  expect(attributes.type == cudaMemoryTypeManaged, "kind of memory");
}
