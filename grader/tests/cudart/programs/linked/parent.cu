// A kernel that makes a call of the runtime that kernels have no support for here, beside one that starts another.
#include "../check.h"

__global__ void child(int* to) {
  *to = 2;
}

__global__ void parent(int* to) {
  child<<<1, 1>>>(to);
}

__global__ void copies_rows(int* to) {
  cudaMemcpy2DAsync(to, 4, to + 1, 4, 4, 1, cudaMemcpyDeviceToDevice);  // of rows
}

int main() {
  int *to, value = 0;
  CHECK(cudaMalloc(&to, 2 * sizeof value));
  parent<<<1, 1>>>(to);
  CHECK(cudaMemcpy(&value, to, sizeof value, cudaMemcpyDeviceToHost));
  expect(value == 2, "a kernel beside it");
  CHECK(cudaFree(to));
  CHECK(cudaMalloc(&to, 2 * sizeof value));
  copies_rows<<<1, 1>>>(to);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
