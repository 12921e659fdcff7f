// Errors as a program meets them: a launch that is refused, then a kernel that fails and ends the context.
#include "check.h"

__global__ void store(int* to, int index) {
  to[index] = 1;
}

int main() {
  int* a;
  CHECK(cudaMalloc(&a, 4));
  store<<<1, 2000>>>(a, 0);  // refused: 2,000 threads
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  store<<<1, 1>>>(a, 1 << 20);  // out of bounds
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  std::printf("%s\n", cudaGetErrorName(cudaFree(a)));
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
