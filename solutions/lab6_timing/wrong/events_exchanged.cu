// EXPECT: score < max [event_time, event_order]
// FIRST: check event_order
// cudaEventElapsedTime is given the later event first.
#include "timing.h"

#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>

using Clock = std::chrono::steady_clock;

static double ms_between(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double, std::milli>(end - begin).count();
}

double launch_ms(Launch launch) {
  auto t0 = Clock::now();
  launch();
  auto t1 = Clock::now();
  if (cudaGetLastError() != cudaSuccess) return -1.0;
  return ms_between(t0, t1);
}

double kernel_ms_host(Launch launch) {
  auto h0 = Clock::now();
  launch();
  cudaError_t hl = cudaGetLastError();
  cudaError_t hs = cudaDeviceSynchronize();
  auto h1 = Clock::now();
  if (hl != cudaSuccess || hs != cudaSuccess) return -1.0;
  return ms_between(h0, h1);
}

double kernel_ms_events(Launch launch) {
  cudaEvent_t start, stop;
  if (cudaEventCreate(&start) != cudaSuccess) return -1.0;
  if (cudaEventCreate(&stop) != cudaSuccess) {
    cudaEventDestroy(start);
    return -1.0;
  }
  cudaEventRecord(start);
  launch();
  cudaError_t el = cudaGetLastError();
  cudaEventRecord(stop);
  cudaError_t es = cudaEventSynchronize(stop);
  float ms = -1.0f;
  cudaError_t et = cudaEventElapsedTime(&ms, stop, start);  // wrong: start comes first
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  if (el != cudaSuccess || es != cudaSuccess || et != cudaSuccess) return -1.0;
  return ms;
}

__global__ void twice(const float* in, float* mid, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) mid[i] = 2.0f * in[i];
}

__global__ void mirror(const float* mid, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = mid[i] + mid[n - 1 - i];
}

void two_stage(const float* d_in, float* d_mid, float* d_out, int n) {
  if (n == 0) return;
  int blocks = (n + 255) / 256;
  twice<<<blocks, 256>>>(d_in, d_mid, n);
  mirror<<<blocks, 256>>>(d_mid, d_out, n);
  cudaError_t e = cudaGetLastError();
  if (e != cudaSuccess) fprintf(stderr, "two_stage: %s\n", cudaGetErrorString(e));
}
