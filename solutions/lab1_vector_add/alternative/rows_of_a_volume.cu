// EXPECT: full marks
// The three arrays are the slices of one volume of cudaMalloc3D; cudaMemcpy3D fills two of them.
#include "vector_add.h"

#include <cuda_runtime.h>

#include <cstdio>

__global__ void add_slices(cudaPitchedPtr volume, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  char* const first = static_cast<char*>(volume.ptr);
  const float* a = reinterpret_cast<const float*>(first);
  const float* b = reinterpret_cast<const float*>(first + volume.pitch);
  float* c = reinterpret_cast<float*>(first + 2 * volume.pitch);
  c[i] = a[i] + b[i];
}

static bool failed(cudaError_t error) {
  if (error != cudaSuccess) std::fprintf(stderr, "vector_add: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}

static cudaError_t copy_slice(cudaPitchedPtr volume, int slice, void* host, size_t bytes, cudaMemcpyKind kind) {
  const cudaPitchedPtr row = make_cudaPitchedPtr(host, bytes, bytes, 1);
  cudaMemcpy3DParms parameters = {};
  parameters.kind = kind;
  parameters.extent = make_cudaExtent(bytes, 1, 1);
  if (kind == cudaMemcpyHostToDevice) {
    parameters.srcPtr = row;
    parameters.dstPtr = volume;
    parameters.dstPos = make_cudaPos(0, 0, slice);
  } else {
    parameters.srcPtr = volume;
    parameters.srcPos = make_cudaPos(0, 0, slice);
    parameters.dstPtr = row;
  }
  return cudaMemcpy3D(&parameters);
}

void vector_add(const float* a, const float* b, float* c, int n) {
  if (n <= 0) return;
  const size_t bytes = n * sizeof(float);
  cudaPitchedPtr volume = {};
  if (failed(cudaMalloc3D(&volume, make_cudaExtent(bytes, 1, 3)))) return;
  if (!failed(copy_slice(volume, 0, const_cast<float*>(a), bytes, cudaMemcpyHostToDevice)) &&
      !failed(copy_slice(volume, 1, const_cast<float*>(b), bytes, cudaMemcpyHostToDevice))) {
    add_slices<<<(n + 255) / 256, 256>>>(volume, n);
    if (!failed(cudaGetLastError())) failed(copy_slice(volume, 2, c, bytes, cudaMemcpyDeviceToHost));
  }
  failed(cudaFree(volume.ptr));
}
