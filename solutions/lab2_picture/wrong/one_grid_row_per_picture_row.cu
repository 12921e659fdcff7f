// EXPECT: invalid-launch
// FIRST: invalid-launch beside `// wrong: blocks of several rows`
// DIFFERS: one kernel has a block row for each row of the picture, the other a grid that is capped
// One block row for each picture row: gridDim.y = height exceeds 65535 for taller pictures, the launch fails and
// nothing is doubled.
#include <cuda_runtime.h>
#include <cstddef>
#include <cstdio>
#include "picture.h"

const int quiz_blocks_x = (72 + 15) / 16;
const int quiz_blocks_y = (62 + 15) / 16;
const int quiz_blocks = quiz_blocks_x * quiz_blocks_y;
const int quiz_threads = quiz_blocks * 256;
const int quiz_idle_threads = quiz_threads - 72 * 62;

static bool ok(cudaError_t e, const char* what) {
  if (e != cudaSuccess) std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(e));
  return e == cudaSuccess;
}

constexpr int BLOCK = 16;

static dim3 grid_over(int width, int height) {
  const int down = (height - 1) / BLOCK + 1;
  return dim3((width - 1) / BLOCK + 1, down < 65535 ? down : 65535);
}

__global__ void double_rows(const float* in, float* out, int width) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const size_t row = blockIdx.y;
  if (col < width) out[row * width + col] = 2.0f * in[row * width + col];
}

void picture_double(const float* d_in, float* d_out, int width, int height) {
  const dim3 grid((width - 1) / 256 + 1, height);  // wrong: blocks of several rows, rounded up
  double_rows<<<grid, 256>>>(d_in, d_out, width);
  ok(cudaGetLastError(), "double_rows");
}

__global__ void gray_kernel(const unsigned char* rgb, unsigned char* gray, int width, int height) {
  const unsigned col = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned row = blockIdx.y * blockDim.y + threadIdx.y; row < height && col < width;
       row += gridDim.y * blockDim.y) {
    const size_t i = size_t(row) * width + col;
    const int r = rgb[3 * i], g = rgb[3 * i + 1], b = rgb[3 * i + 2];
    gray[i] = static_cast<unsigned char>((77 * r + 150 * g + 29 * b + 128) / 256);
  }
}

void picture_gray(const unsigned char* d_rgb, unsigned char* d_gray, int width, int height) {
  gray_kernel<<<grid_over(width, height), dim3(BLOCK, BLOCK)>>>(d_rgb, d_gray, width, height);
  ok(cudaGetLastError(), "gray_kernel");
}
