// EXPECT: unwritten-output
// FIRST: unwritten-output beside `make_ushort2(x, y);  // wrong`
// DIFFERS: the position has a type and a function of its own, and the grid is capped
// The position is kept as ushort2: columns and rows from 65536 on wrap around, so the far part of very wide or very
// tall pictures is never written; the doubling kernel only.
#include <cuda_runtime.h>
#include <cstddef>
#include <cstdio>
#include "picture.h"

const int quiz_blocks_x = 5;
const int quiz_blocks_y = 4;
const int quiz_blocks = 20;
const int quiz_threads = 5120;
const int quiz_idle_threads = 656;

static bool ok(cudaError_t e, const char* what) {
  if (e != cudaSuccess) std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(e));
  return e == cudaSuccess;
}

constexpr int BLOCK = 16;

static dim3 grid_over(int width, int height) {
  const int down = (height - 1) / BLOCK + 1;
  return dim3((width - 1) / BLOCK + 1, down < 65535 ? down : 65535);
}

__device__ size_t index_of(ushort2 pos, int width) {
  return size_t(pos.y) * width + pos.x;
}

__global__ void double_kernel(const float* in, float* out, int width, int height) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y) {
    if (x >= width) break;
    const ushort2 pos = make_ushort2(x, y);  // wrong: two ints
    out[index_of(pos, width)] = 2.0f * in[index_of(pos, width)];
  }
}

void picture_double(const float* d_in, float* d_out, int width, int height) {
  double_kernel<<<grid_over(width, height), dim3(BLOCK, BLOCK)>>>(d_in, d_out, width, height);
  ok(cudaGetLastError(), "double_kernel");
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
