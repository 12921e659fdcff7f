// EXPECT: full marks
// A kernel that is a template of its block's shape and of what is done with a pair of values.
#include "matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

struct MultiplyAdd {
  __host__ __device__ float operator()(float sum, float x, float y) const { return sum + x * y; }
};

template <int WIDTH, int HEIGHT>
struct Shape {
  static constexpr int width = WIDTH, height = HEIGHT;
  static dim3 block() { return dim3(WIDTH, HEIGHT); }
  static dim3 grid(int columns, int rows) { return dim3((columns + WIDTH - 1) / WIDTH, (rows + HEIGHT - 1) / HEIGHT); }
};

template <typename S, typename Op>
__global__ void product_kernel(const float* a, const float* b, float* c, int m, int n, int p, Op op) {
  const int row = blockIdx.y * S::height + threadIdx.y;
  const int col = blockIdx.x * S::width + threadIdx.x;
  if (row >= m || col >= p) return;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum = op(sum, a[row * n + k], b[k * p + col]);
  c[row * p + col] = sum;
}

template <typename S, typename Op>
cudaError_t launch(const float* d_a, const float* d_b, float* d_c, int m, int n, int p, Op op) {
  product_kernel<S><<<S::grid(p, m), S::block()>>>(d_a, d_b, d_c, m, n, p, op);
  return cudaGetLastError();
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const cudaError_t error = launch<Shape<32, 8>>(d_a, d_b, d_c, m, n, p, MultiplyAdd{});
  if (error != cudaSuccess) std::fprintf(stderr, "matmul: %s\n", cudaGetErrorString(error));
}
