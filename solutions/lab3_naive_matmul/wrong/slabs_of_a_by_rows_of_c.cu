// EXPECT: global-out-of-bounds
// FIRST: global-out-of-bounds beside `// wrong: d_a + (size_t)done * n`
// C is computed in slabs of rows. One offset serves A and C, but the rows of A have n elements, those of C have p.
#include "matmul.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>

constexpr int kSlabRows = 16384;

__global__ void slab_kernel(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int rows,
                            int n, int p) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows || col >= p) return;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum += a[(size_t)row * n + k] * b[(size_t)k * p + col];
  c[(size_t)row * p + col] = sum;
}

bool launch_slab(const float* a, const float* b, float* c, int rows, int n, int p) {
  const dim3 block(16, 16);
  const dim3 grid((p - 1) / 16 + 1, (rows - 1) / 16 + 1);
  slab_kernel<<<grid, block>>>(a, b, c, rows, n, p);
  const cudaError_t err = cudaGetLastError();
  if (err != cudaSuccess) fprintf(stderr, "CUDA error: %s\n", cudaGetErrorString(err));
  return err == cudaSuccess;
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  for (int done = 0; done < m; done += kSlabRows) {
    const int rows = std::min(kSlabRows, m - done);
    const size_t offset = (size_t)done * p;
    const bool launched = launch_slab(d_a + offset, d_b, d_c + offset, rows, n, p);  // wrong: d_a + (size_t)done * n
    if (!launched) return;
  }
}
