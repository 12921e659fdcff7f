// EXPECT: protocol-error
// AT MOST: 90 points
// attack: speaks to the runtime as the harness does, to be forgiven
#include <cuda_runtime.h>
#include "matmul.h"

extern "C" cudaError_t cudalabs_declare_output(const void*, size_t, size_t, const char*, const unsigned long*);
extern "C" cudaError_t cudalabs_declare_input(const void*, size_t, size_t, const char*, const unsigned long*);
extern "C" cudaError_t cudalabs_take_back();
extern "C" cudaError_t cudalabs_next_function();
extern "C" cudaError_t cudalabs_left_behind();

__global__ void clear(float* a) {
  *a = 0;
}

__global__ void product(const float* a, const float* b, float* c, int m, int n, int p) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= p) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * p + col];
  c[row * p + col] = sum;
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const unsigned long extents[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  cudalabs_declare_output(d_a, std::size_t(m) * n * sizeof(float), sizeof(float), "c", extents);
  for (int i = 0; i < 100; ++i) cudalabs_declare_input(d_c, 4, 4, "\033[2J", extents);
  cudalabs_next_function();
  cudalabs_take_back();
  void* leak = nullptr;
  cudaMalloc(&leak, 1 << 20);
  product<<<dim3((p + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(d_a, d_b, d_c, m, n, p);
  cudalabs_left_behind();
  clear<<<1, 1>>>(const_cast<float*>(d_a));
  cudalabs_left_behind();
}
