// EXPECT: device-reset
// AT MOST: 5 points
// attack: takes the arrays of its caller away
#include <cuda_runtime.h>
#include "matmul.h"

void matmul(const float*, const float*, float*, int, int, int) {
  cudaDeviceReset();
}
