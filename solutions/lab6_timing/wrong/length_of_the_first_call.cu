// EXPECT: result-mismatch, unwritten-output
// FIRST: unwritten-output
// The number of elements is copied to constant memory at the first call only: at the second it is the first one's.
#include "timing.h"

#include <cuda_runtime.h>

#include <chrono>

double launch_ms(Launch launch) {
  const auto begin = std::chrono::steady_clock::now();
  launch();
  const auto end = std::chrono::steady_clock::now();
  if (cudaGetLastError() != cudaSuccess) return -1.0;
  return std::chrono::duration<double, std::milli>(end - begin).count();
}

double kernel_ms_host(Launch launch) {
  std::chrono::steady_clock::time_point start, stop;
  start = std::chrono::steady_clock::now();
  launch();
  if (cudaGetLastError() != cudaSuccess) return -1;
  if (cudaDeviceSynchronize() != cudaSuccess) return -1;
  stop = std::chrono::steady_clock::now();
  return std::chrono::duration<double, std::milli>(stop - start).count();
}

double kernel_ms_events(Launch launch) {
  cudaEvent_t begin, end;
  if (cudaEventCreate(&begin) != cudaSuccess) return -1.0;
  if (cudaEventCreate(&end) != cudaSuccess) {
    cudaEventDestroy(begin);
    return -1.0;
  }
  cudaError_t error = cudaEventRecord(begin);
  launch();
  const cudaError_t launched = cudaGetLastError();
  if (error == cudaSuccess) error = launched;
  if (error == cudaSuccess) error = cudaEventRecord(end);
  if (error == cudaSuccess) error = cudaEventSynchronize(end);
  float milliseconds = 0.0f;
  if (error == cudaSuccess) error = cudaEventElapsedTime(&milliseconds, begin, end);
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  return error == cudaSuccess ? milliseconds : -1.0;
}

__constant__ int c_n;

__global__ void first(const float* in, float* mid) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < c_n) mid[i] = 2.0f * in[i];
}

__global__ void second(const float* mid, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < c_n) out[i] = mid[i] + mid[c_n - 1 - i];
}

void two_stage(const float* d_in, float* d_mid, float* d_out, int n) {
  if (n <= 0) return;
  static const cudaError_t ready = cudaMemcpyToSymbol(c_n, &n, sizeof(n));  // wrong: not static
  if (ready != cudaSuccess) return;
  const unsigned blocks = (static_cast<unsigned>(n) + 255) / 256;
  first<<<blocks, 256>>>(d_in, d_mid);
  second<<<blocks, 256>>>(d_mid, d_out);
}
