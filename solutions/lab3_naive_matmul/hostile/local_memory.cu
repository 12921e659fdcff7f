// EXPECT: invalid-launch
// AT MOST: 20 points
// attack: 500 KB of local memory for each thread (row 53)
#include <cuda_runtime.h>
#include <cstdio>
#include "matmul.h"

__global__ void deep(int* out, int n) {
  int store[125000];
  for (int i = 0; i < n; ++i) store[(i * 7919) % 125000] = i;
  if (out != nullptr) *out = store[n % 125000];
}

void matmul(const float*, const float*, float* d_c, int, int n, int) {
  deep<<<64, 256>>>(reinterpret_cast<int*>(d_c), n);
  if (cudaGetLastError() != cudaSuccess) std::puts("no");
}
