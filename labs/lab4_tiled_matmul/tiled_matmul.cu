// Lab 4: C = A·B through tiles in shared memory. The contract is in tiled_matmul.h, the task in README.md.
#include "tiled_matmul.h"

#include <cuda_runtime.h>

// Side of a tile, and of a block: TILE × TILE threads compute TILE × TILE elements of C.
constexpr int TILE = 16;

// The kernel: what ONE thread does, together with the other threads of its block.
// A is m×n, B is n×p, C is m×p, all row-major.
__global__ void tiled_matmul_kernel(const float* a, const float* b, float* c, int m, int n, int p) {
  // TODO 1: Declare two tiles of TILE × TILE floats in __shared__ memory, one for A and one for B.

  // TODO 2: Compute `row` and `col` of this thread's element of C, as in lab 3, and start a sum at 0. Do NOT return
  //         when the element lies outside C: this thread is still needed to load and to wait.

  // TODO 3: Loop over the phases. How many are there, when TILE does not divide n? In phase t:
  //   3a: load one value of A, at row `row` and column t * TILE + threadIdx.x, into the tile of A;
  //       and one value of B, at row t * TILE + threadIdx.y and column `col`, into the tile of B.
  //       A place outside the matrix gets 0.
  //   3b: wait until everybody has loaded.
  //   3c: multiply and add TILE pairs of values, out of the two tiles.
  //   3d: wait until everybody has read, before the next phase overwrites the tiles.

  // TODO 4: Store the sum in C, if the element lies inside C.
}

// The launch: how MANY threads do it. Runs on the host; all pointers are device addresses, so do not read through them.
void tiled_matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const dim3 block(TILE, TILE);
  // TODO 5: Enough blocks for all p columns (x) and all m rows (y). One block is enough only for the smallest matrices.
  const dim3 grid(1, 1);

  tiled_matmul_kernel<<<grid, block>>>(d_a, d_b, d_c, m, n, p);

  // TODO 6: A launch returns nothing. Ask cudaGetLastError() whether this one went well; if not, print
  //         cudaGetErrorString() of it to stderr.
}
