// EXPECT: build-failed
// AT MOST: 0 points
// attack: does not compile in a line of a file of the machine (row 6)
#include <cuda_runtime.h>
#include "matmul.h"

#line 1 CUDALABS_CANARY
void wild() {
  nonsense();
}
#line 13 "matmul.cu"

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  wild();
}
