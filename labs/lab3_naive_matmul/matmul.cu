// Lab 3: C = A·B, one thread for each element of C. The contract is in matmul.h, the task in README.md.
#include "matmul.h"

#include <cuda_runtime.h>

// The kernel: what ONE thread does.
// A is m×n, B is n×p, C is m×p, all row-major.
__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int p) {
  // TODO 1: Which element of C is mine? Compute `row` from the y parts and `col` from the x parts of blockIdx, blockDim
  //         and threadIdx.

  // TODO 2: The grid is rounded up, so some threads have no element. Let only those with row < m and col < p go on.

  // TODO 3: Walk along row `row` of A and down column `col` of B at the same time, n steps, and add up the products in
  //         a variable of your own that starts at 0. How long is a row of A? And a row of B?

  // TODO 4: Store the sum in C, once.
}

// The launch: how MANY threads do it. Runs on the host; all pointers are device addresses, so do not read through them.
void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  // TODO 5: Choose a block of threads (at most 1,024 in all), and a grid with enough blocks for all p columns (x) and
  //         all m rows (y). One block of one thread is not enough for anybody.
  const dim3 block(1, 1);
  const dim3 grid(1, 1);

  matmul_kernel<<<grid, block>>>(d_a, d_b, d_c, m, n, p);

  // TODO 6: A launch returns nothing. Ask cudaGetLastError() whether this one went well; if not, print
  //         cudaGetErrorString() of it to stderr.
}
