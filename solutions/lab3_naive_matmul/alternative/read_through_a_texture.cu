// EXPECT: full marks
// Reads A through a texture of linear memory.
#include "matmul.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>

__global__ void matmul_kernel(cudaTextureObject_t a, const float* b, float* c, int m, int n, int p) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && col < p) {
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) sum += tex1Dfetch<float>(a, row * n + k) * b[k * p + col];
    c[row * p + col] = sum;
  }
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = const_cast<float*>(d_a);
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = static_cast<std::size_t>(m) * n * sizeof(float);
  cudaTextureDesc description = {};
  description.readMode = cudaReadModeElementType;
  cudaTextureObject_t a = 0;
  const cudaError_t error = cudaCreateTextureObject(&a, &resource, &description, nullptr);
  if (error != cudaSuccess) std::fprintf(stderr, "matmul: %s\n", cudaGetErrorString(error));
  const dim3 block(16, 16);
  const dim3 grid((p + block.x - 1) / block.x, (m + block.y - 1) / block.y);
  matmul_kernel<<<grid, block>>>(a, d_b, d_c, m, n, p);
  const cudaError_t launched = cudaGetLastError();
  if (launched != cudaSuccess) std::fprintf(stderr, "matmul: %s\n", cudaGetErrorString(launched));
  cudaDeviceSynchronize();
  cudaDestroyTextureObject(a);
}
