// EXPECT: invalid-launch, runtime-error
// AT MOST: 50 points
// attack: launches, attributes, streams and limits at the ends of their types
#include <cuda_runtime.h>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include "matmul.h"

__global__ void nothing() {}
__global__ void __launch_bounds__(1024) nothing_much(int* p) {
  if (p != nullptr) *p = 1;
}

__global__ void product(const float* a, const float* b, float* c, int m, int n, int p) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= p) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * p + col];
  c[row * p + col] = sum;
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const unsigned most = UINT_MAX;
  for (const dim3 grid :
       {dim3(0), dim3(most), dim3(1, most), dim3(1, 1, most), dim3(most, most, most), dim3(INT_MAX, 65535, 65535)}) {
    for (const dim3 block : {dim3(0), dim3(most), dim3(1, most), dim3(65536, 65536), dim3(1 << 16, 1 << 16, 2)}) {
      nothing<<<grid, block>>>();
      nothing_much<<<grid, block, SIZE_MAX>>>(nullptr);
      void* arguments[] = {nullptr};
      cudaLaunchKernel(reinterpret_cast<const void*>(nothing), grid, block, nullptr, SIZE_MAX, nullptr);
      cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(nothing), grid, block, arguments, 0, nullptr);
      cudaGetLastError();
    }
  }
  for (const int value : {INT_MIN, -1, INT_MAX}) {
    for (int attribute = -1; attribute < 20; ++attribute)
      cudaFuncSetAttribute(reinterpret_cast<const void*>(nothing), static_cast<cudaFuncAttribute>(attribute), value);
    cudaStream_t stream = nullptr;
    if (cudaStreamCreateWithPriority(&stream, unsigned(value), value) == cudaSuccess) cudaStreamDestroy(stream);
    int blocks = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, reinterpret_cast<const void*>(nothing), value,
                                                  std::size_t(value));
  }
  for (int limit = -1; limit < 10; ++limit) cudaDeviceSetLimit(static_cast<cudaLimit>(limit), SIZE_MAX);
  cudaGetLastError();
  product<<<dim3((p + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(d_a, d_b, d_c, m, n, p);
  if (cudaGetLastError() != cudaSuccess) std::fputs("matmul: not launched\n", stderr);
}
