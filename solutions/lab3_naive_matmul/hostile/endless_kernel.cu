// EXPECT: timed-out
// AT MOST: 5 points
// attack: a kernel that never ends (row 47)
#include <cuda_runtime.h>
#include <cstdio>
#include "matmul.h"

__global__ void spin(volatile const float* a) {
  while (a[0] != 12345.0f) {
  }
}

void matmul(const float* d_a, const float*, float*, int, int, int) {
  spin<<<1, 1>>>(d_a);
  if (cudaGetLastError() != cudaSuccess) std::puts("no");
}
