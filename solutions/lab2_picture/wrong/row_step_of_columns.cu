// EXPECT: unwritten-output
// FIRST: unwritten-output at `step = gridDim.y`
// DIFFERS: one kernel for both parts, with a function object for what happens to a pixel
// The step of the loop over rows is as wide as the blocks, not as high: it shows where the grid ends before the rows.
#include "picture.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>

const int quiz_blocks_x = 5;        // 72 / 16 = 4.5
const int quiz_blocks_y = 4;        // 62 / 16 = 3.9
const int quiz_blocks = 20;         // 5 * 4
const int quiz_threads = 5120;      // 20 * 256
const int quiz_idle_threads = 656;  // 5120 - 72 * 62

constexpr unsigned BLOCK_X = 32;  // a warp lies along a row
constexpr unsigned BLOCK_Y = 8;

struct Double {
  const float* in;
  float* out;
  __device__ void operator()(size_t pixel) const { out[pixel] = 2.0f * in[pixel]; }
};

struct Gray {
  const unsigned char* rgb;
  unsigned char* gray;
  __device__ void operator()(size_t pixel) const {
    const unsigned char* p = rgb + 3 * pixel;
    const int sum = 77 * p[0] + 150 * p[1] + 29 * p[2] + 128;
    gray[pixel] = static_cast<unsigned char>(sum / 256);
  }
};

// Calls op for all pixels. The grid covers all columns. A very tall picture has more rows than the grid may have
// along y, so each thread goes on with further rows below.
template <typename Op>
__global__ void for_each_pixel(Op op, unsigned width, unsigned height) {
  const unsigned col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= width) return;

  const unsigned step = gridDim.y * blockDim.x;  // wrong: gridDim.y * blockDim.y
  for (unsigned row = blockIdx.y * blockDim.y + threadIdx.y; row < height; row += step) {
    op(static_cast<size_t>(row) * width + col);
  }
}

template <typename Op>
static void launch(Op op, int width, int height, const char* name) {
  const unsigned w = static_cast<unsigned>(width);
  const unsigned h = static_cast<unsigned>(height);
  const dim3 block(BLOCK_X, BLOCK_Y);
  // along y a grid ends at 65535 blocks
  const dim3 grid((w + BLOCK_X - 1) / BLOCK_X, std::min((h + BLOCK_Y - 1) / BLOCK_Y, 65535u));

  for_each_pixel<<<grid, block>>>(op, w, h);

  const cudaError_t err = cudaGetLastError();
  if (err != cudaSuccess) std::fprintf(stderr, "%s: %s\n", name, cudaGetErrorString(err));
}

void picture_double(const float* d_in, float* d_out, int width, int height) {
  launch(Double{d_in, d_out}, width, height, "picture_double");
}

void picture_gray(const unsigned char* d_rgb, unsigned char* d_gray, int width, int height) {
  launch(Gray{d_rgb, d_gray}, width, height, "picture_gray");
}
