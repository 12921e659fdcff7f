// Copy of alternative/outputs_in_registers.cu: cut into functions.
#include "tiled_matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

constexpr int SIDE = 32, INNER = 16, DOWN = 4, ACROSS = 2;
constexpr int THREADS_X = SIDE / ACROSS, THREADS_Y = SIDE / DOWN, THREADS = THREADS_X * THREADS_Y;

__device__ float element(const float* matrix, int row, int col, int rows, int cols) {
  return row < rows && col < cols ? matrix[row * cols + col] : 0.0f;
}

__device__ void load(float (*tile_a)[SIDE + 1], float (*tile_b)[SIDE], const float* a, const float* b, int first_row,
                     int first_col, int first, int m, int n, int p) {
  const int thread = threadIdx.y * THREADS_X + threadIdx.x;
  for (int i = thread; i < SIDE * INNER; i += THREADS) {
    tile_a[i % INNER][i / INNER] = element(a, first_row + i / INNER, first + i % INNER, m, n);
    tile_b[i / SIDE][i % SIDE] = element(b, first + i / SIDE, first_col + i % SIDE, n, p);
  }
}

__device__ void multiply(float (*sum)[ACROSS], const float (*tile_a)[SIDE + 1], const float (*tile_b)[SIDE]) {
  for (int k = 0; k < INNER; ++k) {
#pragma unroll
    for (int i = 0; i < DOWN; ++i) {
#pragma unroll
      for (int j = 0; j < ACROSS; ++j)
        sum[i][j] += tile_a[k][threadIdx.y + i * THREADS_Y] * tile_b[k][threadIdx.x + j * THREADS_X];
    }
  }
}

__device__ void store(float* c, const float (*sum)[ACROSS], int first_row, int first_col, int m, int p) {
  for (int i = 0; i < DOWN; ++i) {
    for (int j = 0; j < ACROSS; ++j) {
      const int row = first_row + threadIdx.y + i * THREADS_Y, col = first_col + threadIdx.x + j * THREADS_X;
      if (row < m && col < p) c[row * p + col] = sum[i][j];
    }
  }
}

__global__ void tiled_matmul_kernel(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                    int m, int n, int p) {
  __shared__ float tile_a[INNER][SIDE + 1];
  __shared__ float tile_b[INNER][SIDE];
  const int first_row = blockIdx.y * SIDE, first_col = blockIdx.x * SIDE;
  float sum[DOWN][ACROSS] = {};
  for (int first = 0; first < n; first += INNER) {
    load(tile_a, tile_b, a, b, first_row, first_col, first, m, n, p);
    __syncthreads();
    multiply(sum, tile_a, tile_b);
    __syncthreads();
  }
  store(c, sum, first_row, first_col, m, p);
}

void report(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "tiled_matmul: %s\n", cudaGetErrorString(error));
}

void tiled_matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const dim3 grid((p + SIDE - 1) / SIDE, (m + SIDE - 1) / SIDE);
  tiled_matmul_kernel<<<grid, dim3(THREADS_X, THREADS_Y)>>>(d_a, d_b, d_c, m, n, p);
  report(cudaGetLastError());
}
