// Allocations that are too small: for one a `sizeof` was forgotten, the other one has no room for all threads.
#include "check.h"

__global__ void number(int* guarded, int* bare, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  bare[i] = i;
  if (i < n) guarded[i] = i;
}

int main() {
  constexpr int n = 100;
  int *guarded, *bare;
  CHECK(cudaMalloc(&guarded, n));
  CHECK(cudaMalloc(&bare, n * sizeof(int)));
  number<<<4, 64>>>(guarded, bare, n);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
