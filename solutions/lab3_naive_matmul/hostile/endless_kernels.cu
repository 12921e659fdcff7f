// EXPECT: timed-out
// AT MOST: 5 points
// attack: many kernels that never end, one after another (rows 47 and 54)
#include <cuda_runtime.h>
#include "matmul.h"

__global__ void spin(volatile const float* a) {
  while (a[0] != 12345.0f) {
  }
}

void matmul(const float* d_a, const float*, float*, int, int, int) {
  for (int i = 0; i < 1000; ++i) spin<<<64, 1024>>>(d_a);
}
