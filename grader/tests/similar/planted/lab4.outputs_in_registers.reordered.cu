// Copy of alternative/outputs_in_registers.cu: statements that do not need each other have changed places.
#include "tiled_matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

constexpr int kDepth = 16, kEdge = 32, kX = 2, kY = 4;
constexpr int kAll = (kEdge / kY) * (kEdge / kX), kRows = kEdge / kY, kCols = kEdge / kX;

__global__ void tiled_matmul_kernel(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                    int m, int n, int p) {
  __shared__ float right[kDepth][kEdge];
  __shared__ float left[kDepth][kEdge + 1];
  float result[kY][kX] = {};
  const int me = threadIdx.x + kCols * threadIdx.y;
  const int left_edge = kEdge * blockIdx.x, top = kEdge * blockIdx.y;
  for (int start = 0; start < n; start += kDepth) {
    for (int q = me; q < kDepth * kEdge; q += kAll) {
      const int x = left_edge + q % kEdge, deep_b = start + q / kEdge;
      right[q / kEdge][q % kEdge] = x < p && deep_b < n ? b[p * deep_b + x] : 0.0f;
      const int deep_a = start + q % kDepth, y = top + q / kDepth;
      left[q % kDepth][q / kDepth] = deep_a < n && y < m ? a[n * y + deep_a] : 0.0f;
    }
    __syncthreads();
    for (int d = 0; d < kDepth; ++d) {
#pragma unroll
      for (int v = 0; v < kY; ++v) {
#pragma unroll
        for (int u = 0; u < kX; ++u) {
          result[v][u] += right[d][threadIdx.x + u * kCols] * left[d][threadIdx.y + v * kRows];
        }
      }
    }
    __syncthreads();
  }
  for (int v = 0; v < kY; ++v) {
    for (int u = 0; u < kX; ++u) {
      const int x = left_edge + threadIdx.x + u * kCols, y = top + threadIdx.y + v * kRows;
      if (x < p && y < m) c[p * y + x] = result[v][u];
    }
  }
}

void tiled_matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const dim3 blocks((kEdge + p - 1) / kEdge, (kEdge + m - 1) / kEdge);
  const dim3 threads(kCols, kRows);
  tiled_matmul_kernel<<<blocks, threads>>>(d_a, d_b, d_c, m, n, p);
  if (const cudaError_t status = cudaGetLastError(); status != cudaSuccess)
    std::fprintf(stderr, "launch failed: %s\n", cudaGetErrorString(status));
}
