// EXPECT: timed-out
// AT MOST: 5 points
// OR: local-out-of-bounds, timed-out
// attack: calls itself until the stack of a thread is used up (row 53)
#include <cuda_runtime.h>
#include <cstdio>
#include "matmul.h"

__device__ int dive(volatile int* c, int depth) {
  volatile int here[64];
  here[depth % 64] = depth;
  return c[0] == 12345 ? depth : dive(c, depth + 1) + here[depth % 64];
}
__global__ void start(volatile int* a, int* c) {
  c[0] = dive(a, 0);
}

void matmul(const float* d_a, const float*, float* d_c, int, int, int) {
  start<<<1, 1>>>(reinterpret_cast<int*>(const_cast<float*>(d_a)), reinterpret_cast<int*>(d_c));
  if (cudaGetLastError() != cudaSuccess) std::puts("no");
}
