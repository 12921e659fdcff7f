// EXPECT: invalid-free, runtime-error
// AT MOST: 50 points
// attack: streams, events, functions and symbols that were never made
#include <cuda_runtime.h>
#include <cstddef>
#include <cstdint>
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
  for (const std::uintptr_t value : {std::uintptr_t(3), std::uintptr_t(0xdeadbeef), UINTPTR_MAX, UINTPTR_MAX / 2 + 1}) {
    const auto stream = reinterpret_cast<cudaStream_t>(value);
    const auto event = reinterpret_cast<cudaEvent_t>(value);
    const auto pointer = reinterpret_cast<void*>(value);
    float time = 0;
    cudaStreamSynchronize(stream);
    cudaStreamQuery(stream);
    cudaStreamDestroy(stream);
    cudaStreamWaitEvent(stream, event, 0);
    cudaEventRecord(event, stream);
    cudaEventSynchronize(event);
    cudaEventElapsedTime(&time, event, event);
    cudaEventDestroy(event);
    cudaFree(pointer);
    cudaFreeHost(pointer);
    cudaFreeAsync(pointer, stream);
    cudaMemsetAsync(d_c, 0, 4, stream);
    cudaMemcpyAsync(d_c, d_a, 4, cudaMemcpyDeviceToDevice, stream);
    cudaLaunchKernel(pointer, dim3(1), dim3(1), nullptr, 0, nullptr);
    cudaFuncAttributes attributes;
    cudaFuncGetAttributes(&attributes, pointer);
    void* address = nullptr;
    std::size_t size = 0;
    cudaGetSymbolAddress(&address, pointer);
    cudaGetSymbolSize(&size, pointer);
    cudaPointerAttributes about;
    cudaPointerGetAttributes(&about, pointer);
    cudaHostRegister(pointer, SIZE_MAX, 0);
    cudaHostUnregister(pointer);
    cudaGetLastError();
  }
  product<<<dim3((p + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(d_a, d_b, d_c, m, n, p);
  if (cudaGetLastError() != cudaSuccess) std::fputs("matmul: not launched\n", stderr);
}
