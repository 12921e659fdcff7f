// EXPECT: global-out-of-bounds
// AT MOST: 5 points
// attack: writes far outside its arrays (row 48)
#include <cuda_runtime.h>
#include <cstdio>
#include "matmul.h"

__global__ void far(float* c) {
  c[1ll << 40] = 1;
}

void matmul(const float*, const float*, float* d_c, int, int, int) {
  far<<<1, 1>>>(d_c);
  if (cudaGetLastError() != cudaSuccess) std::puts("no");
}
