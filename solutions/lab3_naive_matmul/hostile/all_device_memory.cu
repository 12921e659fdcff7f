// EXPECT: runtime-error, unwritten-output
// AT MOST: 20 points
// attack: takes all memory of the device (row 49)
#include <cuda_runtime.h>
#include "matmul.h"

void matmul(const float*, const float*, float*, int, int, int) {
  void* memory = nullptr;
  for (int size = 1 << 28; size >= 256;) {
    if (cudaMalloc(&memory, size) != cudaSuccess) size /= 2;
  }
  cudaGetLastError();
}
