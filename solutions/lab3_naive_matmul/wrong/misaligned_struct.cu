// EXPECT: misaligned-access
// FIRST: misaligned-access at `const Four four = *(const Four*)(a + row * n + k);`
// Four values of A at once, in a struct that must lie at a multiple of 16 bytes.
#include "matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

struct alignas(16) Four {
  float x, y, z, w;
};

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int p) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && col < p) {  // threads beyond an edge have nothing to do
    float sum = 0.0f;
    int k = 0;
    for (; k + 3 < n; k += 4) {
      const Four four = *(const Four*)(a + row * n + k);  // wrong: n may be no multiple of 4
      sum += four.x * b[k * p + col] + four.y * b[(k + 1) * p + col];
      sum += four.z * b[(k + 2) * p + col] + four.w * b[(k + 3) * p + col];
    }
    for (; k < n; ++k) sum += a[row * n + k] * b[k * p + col];
    c[row * p + col] = sum;
  }
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const dim3 block(16, 16);
  const dim3 grid((p + block.x - 1) / block.x, (m + block.y - 1) / block.y);  // rounded up
  matmul_kernel<<<grid, block>>>(d_a, d_b, d_c, m, n, p);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "matmul: %s\n", cudaGetErrorString(error));
}
