// EXPECT: stream-race
// FIRST: stream-race at `add_parts<<<`
// The stream that clears C waits for its own event, and the one that adds to C does not wait.
#include "matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

constexpr int PART = 64;  // of the inner dimension

__global__ void add_parts(const float* a, const float* b, float* c, int m, int n, int p) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int begin = blockIdx.z * PART, end = begin + PART < n ? begin + PART : n;
  if (row >= m || col >= p) return;
  float sum = 0.0f;
  for (int k = begin; k < end; ++k) sum += a[row * n + k] * b[k * p + col];
  atomicAdd(&c[row * p + col], sum);
}

static bool ok(cudaError_t error) {
  if (error != cudaSuccess) std::fprintf(stderr, "matmul: %s\n", cudaGetErrorString(error));
  return error == cudaSuccess;
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  if (m == 0 || p == 0) return;
  cudaStream_t clearing = nullptr, adding = nullptr;
  cudaEvent_t cleared = nullptr;
  if (ok(cudaStreamCreate(&clearing)) && ok(cudaStreamCreate(&adding)) && ok(cudaEventCreate(&cleared)) &&
      ok(cudaMemsetAsync(d_c, 0, sizeof(float) * m * p, clearing)) && ok(cudaEventRecord(cleared, clearing)) &&
      ok(cudaStreamWaitEvent(clearing, cleared, 0))) {  // wrong: adding has to wait
    const dim3 block(32, 8);
    const dim3 grid((p + 31) / 32, (m + 7) / 8, n > PART ? (n + PART - 1) / PART : 1);
    add_parts<<<grid, block, 0, adding>>>(d_a, d_b, d_c, m, n, p);
    ok(cudaGetLastError());
  }
  if (cleared != nullptr) ok(cudaEventDestroy(cleared));
  if (adding != nullptr) ok(cudaStreamDestroy(adding));
  if (clearing != nullptr) ok(cudaStreamDestroy(clearing));
}
