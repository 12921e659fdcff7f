// A kernel that starts another, which is not supported, beside one that runs.
#include "../check.h"

__global__ void child(int* to) {
  *to = 1;
}

__global__ void parent(int* to) {
  child<<<1, 1>>>(to);  // starts a kernel
}

__global__ void plain(int* to) {
  *to = 2;
}

int main() {
  int *to, value = 0;
  CHECK(cudaMalloc(&to, sizeof value));
  plain<<<1, 1>>>(to);
  CHECK(cudaMemcpy(&value, to, sizeof value, cudaMemcpyDeviceToHost));
  expect(value == 2, "a kernel beside it");
  CHECK(cudaFree(to));
  CHECK(cudaMalloc(&to, sizeof value));
  parent<<<1, 1>>>(to);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
