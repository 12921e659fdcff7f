// Lab 5: the sum of an array. The contract is in reduction.h, the task in README.md.
#include "reduction.h"

#include <cuda_runtime.h>

// Threads of a block. A power of two: each step halves it.
constexpr int BLOCK = 256;

// The kernel: each block adds up BLOCK elements of `in`. T is float or int: the same steps sum both.
template <typename T>
__global__ void block_sums(const T* in, T* out, int n) {
  // TODO 1: Declare an array of BLOCK elements of type T in __shared__ memory.

  // TODO 2: Thread t of the block loads one element into place t. An element past the end counts as 0: do NOT return,
  //         this thread is still needed to wait.

  // TODO 3: Wait until everybody has loaded.

  // TODO 4: For stride = BLOCK / 2, BLOCK / 4, … 1: the first `stride` threads add the value `stride` places further on
  //         to their own. After each step EVERYBODY waits, also the threads that added nothing.

  // TODO 5: One thread stores the block's sum. There is one sum a block: where in `out` does this block's belong?
}

// The launches: from n elements to one. Runs on the host; all pointers are device addresses, so do not read through
// them.
template <typename T>
void sum(const T* d_in, T* d_out, int n) {
  // TODO 6: Launch enough blocks for n elements. They leave one sum a block: allocate room for those with cudaMalloc,
  //         have them added up in turn, and free the room. What if n is 0, so that there is no block to launch?
  block_sums<<<1, BLOCK>>>(d_in, d_out, n);

  // TODO 7: A launch returns nothing. Ask cudaGetLastError() after each of them whether it went well; if not, print
  //         cudaGetErrorString() of it to stderr.
}

void reduce_sum(const float* d_in, float* d_out, int n) {
  sum(d_in, d_out, n);
}

void array_sum(const int* d_in, int* d_out, int n) {
  sum(d_in, d_out, n);
}
