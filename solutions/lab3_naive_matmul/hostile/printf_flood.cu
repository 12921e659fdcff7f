// EXPECT: unwritten-output
// AT MOST: 20 points
// attack: prints without end in a kernel (row 52)
#include <cuda_runtime.h>
#include "matmul.h"

__global__ void talk() {
  for (int i = 0; i < 100; ++i) printf("\x1b[31mfull marks %d\n", i);
}

void matmul(const float*, const float*, float*, int, int, int) {
  talk<<<100, 32>>>();
  cudaDeviceSynchronize();
}
