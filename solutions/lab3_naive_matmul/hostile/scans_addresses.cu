// EXPECT: global-out-of-bounds
// AT MOST: 5 points
// attack: looks for what others left in the device's memory (rows 50 and 51)
#include <cuda_runtime.h>
#include <cstdio>
#include "matmul.h"

__global__ void scan(const float* a, float* c) {
  for (long long i = 0; i < 1 << 16; ++i) c[0] = a[i * 1024];
}

void matmul(const float* d_a, const float*, float* d_c, int, int, int) {
  scan<<<1, 1>>>(d_a, d_c);
  if (cudaGetLastError() != cudaSuccess) std::puts("no");
}
