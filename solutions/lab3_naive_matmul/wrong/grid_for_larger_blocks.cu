// EXPECT: unwritten-output
// FIRST: unwritten-output at `mm<<<blocks, threads>>>(d_a, d_b, d_c, m, n, p);`
// The grid is rounded up, but for blocks of 32 by 32; the blocks that are launched have 16 by 16 threads.
#include "matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

#define BS 16

__global__ void mm(const float* A, const float* B, float* C, int m, int n, int p) {
  int r = blockIdx.y * blockDim.y + threadIdx.y;
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= m || c >= p) return;
  float acc = 0.f;
  for (int k = 0; k < n; k++) {
    acc += A[r * n + k] * B[k * p + c];
  }
  C[r * p + c] = acc;
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  dim3 threads(BS, BS);
  dim3 blocks((p + 31) / 32, (m + 31) / 32);  // wrong: the blocks have BS by BS threads
  mm<<<blocks, threads>>>(d_a, d_b, d_c, m, n, p);
  cudaError_t err = cudaGetLastError();
  if (err != cudaSuccess) fprintf(stderr, "matmul failed: %s\n", cudaGetErrorString(err));
}
