// EXPECT: runner-crashed
// AT MOST: 5 points
// attack: crashes in a line of a file of the machine (row 6)
#include <cuda_runtime.h>
#include "matmul.h"

#line 1 CUDALABS_CANARY
void wild() {
  *reinterpret_cast<volatile int*>(8) = 1;
}
#line 13 "matmul.cu"

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  wild();
}
