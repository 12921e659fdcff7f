// EXPECT: unwritten-output
// AT MOST: 20 points
// OR: runtime-error, unwritten-output
// OR: time-budget, unwritten-output
// OR: time-budget
// attack: 40,000 allocations (row 49)
#include <cuda_runtime.h>
#include "matmul.h"

void matmul(const float*, const float*, float*, int, int, int) {
  for (int i = 0; i < 40000; ++i) {
    void* memory = nullptr;
    cudaMalloc(&memory, 256);
  }
}
