// EXPECT: invalid-launch
// FIRST: invalid-launch at `matmul_kernel<<<grid, block>>>(d_a, d_b, d_c, m, n, p);`
// One block as large as C: fine up to 1,024 elements, then the launch fails and C keeps its old content.
#include "matmul.h"

#include <cuda_runtime.h>

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int p) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && col < p) {
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * p + col];
    c[row * p + col] = sum;
  }
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  // snippet: block
  const dim3 block(p, m);  // wrong: grows with the matrix
  const dim3 grid((p + block.x - 1) / block.x, (m + block.y - 1) / block.y);
  matmul_kernel<<<grid, block>>>(d_a, d_b, d_c, m, n, p);
  // end snippet
}
