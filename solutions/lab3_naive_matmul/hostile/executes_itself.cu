// EXPECT: protocol-error
// AT MOST: 20 points
// OR: timed-out
// attack: starts itself anew without end (row 29)
#include <cuda_runtime.h>
#include <sys/auxv.h>
#include <unistd.h>
#include "matmul.h"

__global__ void product(const float* a, const float* b, float* c, int m, int n, int p) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= p) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * p + col];
  c[row * p + col] = sum;
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  char* arguments[] = {const_cast<char*>("x"), nullptr};
  execve(reinterpret_cast<const char*>(getauxval(AT_EXECFN)), arguments, environ);
}
