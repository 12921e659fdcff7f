// EXPECT: score < max [launch_checked]
// FIRST: unchecked-launch at `double_kernel<<<`
// The last error is asked for before each launch, and never after one.
#include "picture.h"

#include <cuda_runtime.h>

#include <cstdio>

const int quiz_blocks_x = 5;
const int quiz_blocks_y = 4;
const int quiz_blocks = 5 * 4;
const int quiz_threads = 5 * 4 * 16 * 16;
const int quiz_idle_threads = 5 * 4 * 16 * 16 - 72 * 62;

constexpr int BLOCK = 16;

__global__ void double_kernel(const float* in, float* out, int width, int height) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < height && col < width) out[row * width + col] = 2.0f * in[row * width + col];
}

__global__ void gray_kernel(const unsigned char* rgb, unsigned char* gray, int width, int height) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < height && col < width) {
    const int pixel = row * width + col;
    const int red = rgb[3 * pixel], green = rgb[3 * pixel + 1], blue = rgb[3 * pixel + 2];
    gray[pixel] = (77 * red + 150 * green + 29 * blue + 128) / 256;
  }
}

dim3 grid_for(int width, int height) {
  return dim3((width + BLOCK - 1) / BLOCK, (height + BLOCK - 1) / BLOCK);
}

void check_launch() {
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "picture: %s\n", cudaGetErrorString(error));
}

void picture_double(const float* d_in, float* d_out, int width, int height) {
  check_launch();  // wrong: nothing has been launched yet; it belongs after the launch
  double_kernel<<<grid_for(width, height), dim3(BLOCK, BLOCK)>>>(d_in, d_out, width, height);
}

void picture_gray(const unsigned char* d_rgb, unsigned char* d_gray, int width, int height) {
  check_launch();  // wrong: likewise
  gray_kernel<<<grid_for(width, height), dim3(BLOCK, BLOCK)>>>(d_rgb, d_gray, width, height);
}
