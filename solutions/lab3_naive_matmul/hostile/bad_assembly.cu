// EXPECT: build-failed
// AT MOST: 5 points
// attack: assembly that no device has
#include <cuda_runtime.h>
#include "matmul.h"

__global__ void wrong() {
  asm volatile("no.such.instruction %0;" : : "r"(1));
}

void matmul(const float*, const float*, float*, int, int, int) {
  wrong<<<1, 1>>>();
}
