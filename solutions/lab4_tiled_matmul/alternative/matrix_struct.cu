// EXPECT: full marks
// Matrices as structs that are handed by value to device functions: elements, and blocks of a matrix as matrices.
#include "tiled_matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

constexpr int TILE = 16;

struct Matrix {
  int width, height, stride;
  float* elements;
};

__device__ float get_element(const Matrix m, int row, int col) {
  if (row >= m.height || col >= m.width) return 0.0f;
  return m.elements[row * m.stride + col];
}

__device__ void set_element(Matrix m, int row, int col, float value) {
  if (row < m.height && col < m.width) m.elements[row * m.stride + col] = value;
}

// The tile in row `row` and column `col` of tiles; at the edges it is smaller.
__device__ Matrix get_tile(Matrix m, int row, int col) {
  Matrix tile;
  tile.width = min(TILE, m.width - col * TILE);
  tile.height = min(TILE, m.height - row * TILE);
  tile.stride = m.stride;
  tile.elements = &m.elements[m.stride * TILE * row + TILE * col];
  return tile;
}

__global__ void tiled_matmul_kernel(Matrix a, Matrix b, Matrix c) {
  __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
  Matrix c_tile = get_tile(c, blockIdx.y, blockIdx.x);
  const int row = threadIdx.y, col = threadIdx.x;
  float sum = 0.0f;
  for (int t = 0; t * TILE < a.width; ++t) {
    tile_a[row][col] = get_element(get_tile(a, blockIdx.y, t), row, col);
    tile_b[row][col] = get_element(get_tile(b, t, blockIdx.x), row, col);
    __syncthreads();
    for (int k = 0; k < TILE; ++k) sum += tile_a[row][k] * tile_b[k][col];
    __syncthreads();
  }
  set_element(c_tile, row, col, sum);
}

void tiled_matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const Matrix a{n, m, n, const_cast<float*>(d_a)}, b{p, n, p, const_cast<float*>(d_b)}, c{p, m, p, d_c};
  const dim3 block(TILE, TILE);
  const dim3 grid((p + TILE - 1) / TILE, (m + TILE - 1) / TILE);
  tiled_matmul_kernel<<<grid, block>>>(a, b, c);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "tiled_matmul: %s\n", cudaGetErrorString(error));
}
