// Lab 7: y = A·x, one thread for each row.
#include "matvec.h"

#include <cuda_runtime.h>

__global__ void matvec_kernel(const float* a, const float* x, float* y, int m, int n) {
  // TODO 1: Which row is mine, and is there one?

  // TODO 2: Add up the products along the row.
}

void matvec(const float* d_a, const float* d_x, float* d_y, int m, int n) {
  // TODO 3: enough blocks for m threads; ask whether the launch went well.
  matvec_kernel<<<1, 1>>>(d_a, d_x, d_y, m, n);
}
