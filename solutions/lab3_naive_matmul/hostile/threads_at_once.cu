// EXPECT: full marks
// attack: sixteen threads speak to the device at once
#include <cuda_runtime.h>
#include <cstdio>
#include <thread>
#include <vector>
#include "matmul.h"

__global__ void fill(int* p) {
  *p = threadIdx.x;
}

void speak() {
  for (int i = 0; i < 50; ++i) {
    cudaStream_t stream = nullptr;
    cudaEvent_t event = nullptr;
    int* memory = nullptr;
    cudaStreamCreate(&stream);
    cudaEventCreate(&event);
    cudaMalloc(&memory, 1 << 16);
    cudaMemsetAsync(memory, i, 1 << 16, stream);
    fill<<<1, 1, 0, stream>>>(memory);
    if (cudaGetLastError() != cudaSuccess) std::fputs("not launched\n", stderr);
    cudaEventRecord(event, stream);
    cudaEventSynchronize(event);
    cudaEventDestroy(event);
    cudaStreamDestroy(stream);
    cudaFree(memory);
  }
}

__global__ void product(const float* a, const float* b, float* c, int m, int n, int p) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= p) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * p + col];
  c[row * p + col] = sum;
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  if (m == 16) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 16; ++i) threads.emplace_back(speak);
    for (std::thread& each : threads) each.join();
  }
  product<<<dim3((p + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(d_a, d_b, d_c, m, n, p);
  if (cudaGetLastError() != cudaSuccess) std::fputs("matmul: not launched\n", stderr);
}
