// EXPECT: full marks
// Matrices as structs that are handed by value to the kernel and to device functions.
#include "matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

struct Matrix {
  int width, height;
  float* elements;
};

__device__ float get_element(Matrix m, int row, int col) {
  if (row < m.height && col < m.width) return m.elements[row * m.width + col];
  return 0.0f;
}

__device__ void set_element(Matrix m, int row, int col, float value) {
  if (row < m.height && col < m.width) m.elements[row * m.width + col] = value;
}

__global__ void matmul_kernel(Matrix a, Matrix b, Matrix c) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < a.width; ++k) sum += get_element(a, row, k) * get_element(b, k, col);
  set_element(c, row, col, sum);
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const Matrix a{n, m, const_cast<float*>(d_a)}, b{p, n, const_cast<float*>(d_b)}, c{p, m, d_c};
  const dim3 block(16, 16);
  const dim3 grid((p + block.x - 1) / block.x, (m + block.y - 1) / block.y);
  matmul_kernel<<<grid, block>>>(a, b, c);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "matmul: %s\n", cudaGetErrorString(error));
}
