// Lab 1: c = a + b, element by element. The contract is in vector_add.h, the task in README.md.
#include "vector_add.h"

#include <cuda_runtime.h>

#include <cstdio>

// The kernel: what ONE thread does. Here a, b and c are device addresses.
__global__ void vector_add_kernel(const float* a, const float* b, float* c, int n) {
  // TODO 1: Which element is mine? Compute `i` from blockIdx.x, blockDim.x and threadIdx.x.

  // TODO 2: The grid is made of whole blocks, so the last one may have more threads than elements. The others add.
}

// The host's part: memory, copies, the launch. Here a, b and c are host addresses, which the device cannot read.
void vector_add(const float* a, const float* b, float* c, int n) {
  // TODO 3: Nothing to do? Return. A launch of 0 blocks is an error.

  // TODO 4: Allocate three arrays of n floats on the device with cudaMalloc. How many BYTES are that? Look at what each
  //         call returns; if it is not cudaSuccess, print cudaGetErrorString() of it to stderr, and go on with step 7.

  // TODO 5: Copy a and b to the device: cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice).

  // TODO 6: Choose the number of threads of a block, for example `constexpr int BLOCK = 256;`. Launch enough blocks for
  //         n threads: n / BLOCK, rounded UP. A launch returns nothing: ask cudaGetLastError(). If it went well, copy
  //         the result to c: cudaMemcpy(…, cudaMemcpyDeviceToHost). It waits for the kernel.

  // TODO 7: Free what was allocated with cudaFree, whatever happened before.
}
