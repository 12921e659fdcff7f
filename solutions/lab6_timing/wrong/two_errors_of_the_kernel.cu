// EXPECT: score < max [errors]
// FIRST: check errors
// A kernel may fail in many ways: with an illegal address, its time is returned.
#include "timing.h"

#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>

static double ms_between(std::chrono::steady_clock::time_point begin, std::chrono::steady_clock::time_point end) {
  return std::chrono::duration<double, std::milli>(end - begin).count();
}

static bool failed(cudaError_t error) {
  if (error == cudaSuccess) return false;
  std::fprintf(stderr, "timing: %s\n", cudaGetErrorString(error));
  return true;
}

double launch_ms(Launch launch) {
  const auto begin = std::chrono::steady_clock::now();
  launch();  // puts the kernel in the stream's queue, and is back
  const auto end = std::chrono::steady_clock::now();
  if (failed(cudaGetLastError())) return -1.0;
  return ms_between(begin, end);
}

double kernel_ms_host(Launch launch) {
  const auto begin = std::chrono::steady_clock::now();
  launch();
  const cudaError_t launched = cudaGetLastError();
  const cudaError_t finished = cudaDeviceSynchronize();  // back when the kernel is done
  const auto end = std::chrono::steady_clock::now();
  if (failed(launched)) return -1.0;
  if (finished == cudaErrorLaunchFailure || finished == cudaErrorLaunchTimeout) return -1.0;  // wrong: any other is one
  return ms_between(begin, end);
}

double kernel_ms_events(Launch launch) {
  cudaEvent_t begin, end;
  if (failed(cudaEventCreate(&begin))) return -1.0;
  if (failed(cudaEventCreate(&end))) {
    cudaEventDestroy(begin);
    return -1.0;
  }
  cudaEventRecord(begin);  // both are queued like the kernel between them
  launch();
  const cudaError_t launched = cudaGetLastError();
  cudaEventRecord(end);
  const cudaError_t finished = cudaEventSynchronize(end);
  float milliseconds = -1.0f;
  bool wrong = failed(launched) || failed(finished);
  wrong = wrong || failed(cudaEventElapsedTime(&milliseconds, begin, end));
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  return wrong ? -1.0 : milliseconds;
}

__global__ void first_stage(const float* in, float* mid, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) mid[i] = 2.0f * in[i];
}

__global__ void second_stage(const float* mid, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = mid[i] + mid[n - 1 - i];
}

void two_stage(const float* d_in, float* d_mid, float* d_out, int n) {
  if (n == 0) return;
  constexpr int kBlock = 256;
  const int blocks = (n + kBlock - 1) / kBlock;
  first_stage<<<blocks, kBlock>>>(d_in, d_mid, n);
  if (failed(cudaGetLastError())) return;
  second_stage<<<blocks, kBlock>>>(d_mid, d_out, n);  // begins when the first is done
  failed(cudaGetLastError());
}
