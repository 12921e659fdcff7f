// Lab 2: threads over a picture. The contract is in picture.h, the task in README.md.
#include "picture.h"

#include <cuda_runtime.h>

// TODO 1: The launch quiz: a picture of 72 columns and 62 rows under blocks of 16 × 16 threads. Use a pencil first.
const int quiz_blocks_x = 0;      // blocks along x
const int quiz_blocks_y = 0;      // blocks along y
const int quiz_blocks = 0;        // all blocks
const int quiz_threads = 0;       // all threads
const int quiz_idle_threads = 0;  // threads that have no pixel

// Side of a block: BLOCK × BLOCK threads.
constexpr int BLOCK = 16;

// Part (a), the kernel: what ONE thread does. Both pictures have `height` rows of `width` floats.
__global__ void double_kernel(const float* in, float* out, int width, int height) {
  // TODO 2: Which pixel is mine? Compute `row` from the y parts and `col` from the x parts of blockIdx, blockDim and
  //         threadIdx.

  // TODO 3: The grid is rounded up, so some threads have no pixel. The others write twice the value of theirs.
}

// Part (a), the launch. Runs on the host; all pointers are device addresses, so do not read through them.
void picture_double(const float* d_in, float* d_out, int width, int height) {
  const dim3 block(BLOCK, BLOCK);
  // TODO 4: Enough blocks for all columns (x) and all rows (y). One block is enough only for the smallest pictures.
  const dim3 grid(1, 1);

  double_kernel<<<grid, block>>>(d_in, d_out, width, height);

  // TODO 5: A launch returns nothing. Ask cudaGetLastError() whether this one went well; if not, print
  //         cudaGetErrorString() of it to stderr.
}

// Part (b), the kernel: a pixel of `rgb` is three bytes, a pixel of `gray` is one.
__global__ void gray_kernel(const unsigned char* rgb, unsigned char* gray, int width, int height) {
  // TODO 6: The same row, column and guard. Where do the three bytes of this thread's pixel begin?

  // TODO 7: Compute the grey value in int, as picture.h says, and store it as one byte.
}

// Part (b), the launch.
void picture_gray(const unsigned char* d_rgb, unsigned char* d_gray, int width, int height) {
  // TODO 8: As above: block, grid, launch, and the question whether it went well.
}
