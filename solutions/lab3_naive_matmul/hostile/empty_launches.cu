// EXPECT: time-budget
// OR: timed-out
// AT MOST: 5 points
// attack: launches without number (row 47)
#include <cuda_runtime.h>
#include "matmul.h"

__global__ void nothing() {}

void matmul(const float*, const float*, float*, int, int, int) {
  for (int i = 0; i < 100000; ++i) nothing<<<8192, 32>>>();
}
