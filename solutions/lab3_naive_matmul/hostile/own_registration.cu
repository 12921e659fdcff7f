// EXPECT: runner-crashed
// AT MOST: 5 points
// attack: registers device code, functions and variables that are none
#include <cuda_runtime.h>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include "matmul.h"

extern "C" {
void** __cudaRegisterFatBinary(void*);
void __cudaUnregisterFatBinary(void**);
void __cudaRegisterFatBinaryEnd(void**);
void __cudaRegisterFunction(void**, const char*, char*, const char*, int, uint3*, uint3*, dim3*, dim3*, int*);
void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int);
}

struct Wrapper {
  int magic, version;
  const void* data;
  void* unused;
};

alignas(8) unsigned char image[64] = {0x50, 0xed, 0x55, 0xba, 1,    0,    16,   0,
                                      0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f};
Wrapper wrapper{0x466243b1, 1, image, nullptr};

__global__ void product(const float* a, const float* b, float* c, int m, int n, int p) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= p) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * p + col];
  c[row * p + col] = sum;
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  static char name[1 << 20];
  for (char& letter : name) letter = '\033';
  name[sizeof name - 1] = 0;
  void** module = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFunction(module, name, name, name, -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  __cudaRegisterVar(module, name, name, name, 0, SIZE_MAX, 0, 0);
  __cudaRegisterFatBinaryEnd(module);
  cudaLaunchKernel(name, dim3(1), dim3(1), nullptr, 0, nullptr);
  std::size_t size = 0;
  cudaGetSymbolSize(&size, name);
  cudaGetLastError();
  product<<<dim3((p + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(d_a, d_b, d_c, m, n, p);
  if (cudaGetLastError() != cudaSuccess) std::fputs("matmul: not launched\n", stderr);
}
