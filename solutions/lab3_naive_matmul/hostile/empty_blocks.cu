// EXPECT: timed-out
// AT MOST: 5 points
// attack: a grid of 2^31 blocks with nothing to do (row 47)
#include <cuda_runtime.h>
#include <cstdio>
#include "matmul.h"

__global__ void nothing() {}

void matmul(const float*, const float*, float*, int, int, int) {
  nothing<<<2147483647, 1>>>();
  if (cudaGetLastError() != cudaSuccess) std::puts("no");
}
