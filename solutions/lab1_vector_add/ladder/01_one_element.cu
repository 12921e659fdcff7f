// Step 1 of 4: a thread for each element.
//
// The plain kernel of the lecture. The 32 accesses of a warp are neighbours, so no byte is moved in vain; but a thread
// has only two loads of four bytes under way, and memory answers after hundreds of cycles: too little is asked for at a
// time.
//
// Measured on an H200: 3,500 GB/s and 82.0 % of the bandwidth of a device-to-device copy at 2^28 elements.
//
// The ladder:
//  > 1  a thread for each element
//    2  as many threads as the GPU holds, many elements each
//    3  four elements an access
//    4  small blocks, one access each, no loop

#include <cuda_runtime.h>

#include <cstdio>

namespace {

constexpr int kBlock = 256;

__global__ void add(const float* a, const float* b, float* c, int n) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < static_cast<size_t>(n)) c[i] = a[i] + b[i];
}

}  // namespace

void vector_add_device(const float* d_a, const float* d_b, float* d_c, int n) {
  if (n <= 0) return;
  const int blocks = (n - 1) / kBlock + 1;
  add<<<blocks, kBlock>>>(d_a, d_b, d_c, n);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "vector_add_device: %s\n", cudaGetErrorString(error));
}
