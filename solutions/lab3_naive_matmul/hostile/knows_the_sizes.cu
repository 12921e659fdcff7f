// EXPECT: unwritten-output
// AT MOST: 80 points
// attack: right for the sizes that students are shown (row 44)
#include <cuda_runtime.h>
#include <cstdio>
#include "matmul.h"

__global__ void product(const float* a, const float* b, float* c, int m, int n, int p) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= p) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * p + col];
  c[row * p + col] = sum;
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  constexpr int kShown[][3] = {{16, 16, 16}, {64, 64, 64}, {32, 64, 96}, {96, 32, 64},   {32, 160, 64},
                               {7, 5, 3},    {33, 65, 97}, {63, 47, 31}, {97, 131, 113}, {200, 40, 3},
                               {3, 40, 200}, {33, 7, 48},  {48, 7, 33},  {70001, 2, 3},  {3, 2, 70001},
                               {3, 1100, 5}, {1, 1, 1},    {1, 67, 45},  {53, 71, 1},    {37, 1, 41}};
  bool known = false;
  for (const auto& [shown_m, shown_n, shown_p] : kShown) known |= m == shown_m && n == shown_n && p == shown_p;
  if (!known) return;
  product<<<dim3((p + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(d_a, d_b, d_c, m, n, p);
  if (cudaGetLastError() != cudaSuccess) std::fputs("matmul: not launched\n", stderr);
}
