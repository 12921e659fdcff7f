// A race, an uninitialised read and a leak, and a program that ends well all the same.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void shift(int* values) {
  __shared__ int tile[64];
  tile[threadIdx.x] = values[threadIdx.x];
  values[threadIdx.x] = tile[63 - threadIdx.x];  // races
}

__global__ void copy(const int* from, int* to) {
  to[threadIdx.x] = from[threadIdx.x];  // not initialised
}

int main() {
  int *values = nullptr, *other = nullptr;
  cudaMalloc(&values, 64 * sizeof(int));
  cudaMalloc(&other, 64 * sizeof(int));
  cudaMemset(values, 0, 64 * sizeof(int));
  shift<<<1, 64>>>(values);
  copy<<<1, 64>>>(other, values);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorName(error));
  cudaFree(values);  // `other` is never freed
  return 0;
}
