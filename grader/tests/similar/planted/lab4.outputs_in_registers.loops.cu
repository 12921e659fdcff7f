// Copy of alternative/outputs_in_registers.cu: its loops are written in other ways.
#include "tiled_matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

constexpr int S = 32, K = 16, V = 4, H = 2;
constexpr int TX = S / H, TY = S / V, ALL = TX * TY;

__global__ void tiled_matmul_kernel(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                    int m, int n, int p) {
  __shared__ float ta[K][S + 1];
  __shared__ float tb[K][S];
  const int r0 = blockIdx.y * S, c0 = blockIdx.x * S;
  const int t = threadIdx.y * TX + threadIdx.x;
  float acc[V][H] = {};
  int base = 0;
  while (base < n) {
    int i = t;
    while (i < S * K) {
      const int r = r0 + i / K, ka = base + i % K;
      ta[i % K][i / K] = (r < m && ka < n) ? a[r * n + ka] : 0.0f;
      const int kb = base + i / S, q = c0 + i % S;
      tb[i / S][i % S] = (kb < n && q < p) ? b[kb * p + q] : 0.0f;
      i += ALL;
    }
    __syncthreads();
    int k = 0;
    do {
#pragma unroll
      for (int e = 0; e != V * H; e++) {
        acc[e / H][e % H] += ta[k][threadIdx.y + (e / H) * TY] * tb[k][threadIdx.x + (e % H) * TX];
      }
      k++;
    } while (k < K);
    __syncthreads();
    base += K;
  }
  for (int e = 0; e != V * H; e++) {
    const int r = r0 + threadIdx.y + (e / H) * TY, q = c0 + threadIdx.x + (e % H) * TX;
    if (r < m && q < p) c[r * p + q] = acc[e / H][e % H];
  }
}

void tiled_matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  dim3 block, grid;
  block.x = TX;
  block.y = TY;
  grid.x = (p + S - 1) / S;
  grid.y = (m + S - 1) / S;
  tiled_matmul_kernel<<<grid, block>>>(d_a, d_b, d_c, m, n, p);
  const cudaError_t problem = cudaGetLastError();
  if (problem != cudaSuccess) {
    std::fprintf(stderr, "error: %s\n", cudaGetErrorString(problem));
  }
}
