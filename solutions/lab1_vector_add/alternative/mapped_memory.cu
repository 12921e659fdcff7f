// EXPECT: full marks
// Mapped memory: the kernel reads and writes page-locked arrays of the host, which waits for it before it reads them.
#include "vector_add.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>

constexpr int BLOCK = 256;

__global__ void vector_add_kernel(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

bool worked(cudaError_t error, const char* what) {
  if (error != cudaSuccess) std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  return error == cudaSuccess;
}

void vector_add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const std::size_t bytes = n * sizeof(float);
  float *m_a = nullptr, *m_b = nullptr, *m_c = nullptr;
  bool good = worked(cudaHostAlloc(&m_a, bytes, cudaHostAllocMapped), "allocating a");
  good = good && worked(cudaHostAlloc(&m_b, bytes, cudaHostAllocMapped), "allocating b");
  good = good && worked(cudaHostAlloc(&m_c, bytes, cudaHostAllocMapped), "allocating c");
  float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;  // as the kernel has them
  good = good && worked(cudaHostGetDevicePointer(&d_a, m_a, 0), "asking for a");
  good = good && worked(cudaHostGetDevicePointer(&d_b, m_b, 0), "asking for b");
  good = good && worked(cudaHostGetDevicePointer(&d_c, m_c, 0), "asking for c");
  if (good) {
    for (int i = 0; i < n; ++i) {
      m_a[i] = a[i];
      m_b[i] = b[i];
    }
    vector_add_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_a, d_b, d_c, n);
    good = worked(cudaGetLastError(), "launching");
  }
  good = good && worked(cudaDeviceSynchronize(), "waiting");
  for (int i = 0; good && i < n; ++i) c[i] = m_c[i];
  cudaFreeHost(m_a);
  cudaFreeHost(m_b);
  cudaFreeHost(m_c);
}
