// EXPECT: score < max [gray_whole, gray_any]
// FIRST: result-mismatch at `// wrong: the integers`
// The colours are weighed by decimal fractions, and not by those of the handout: some values differ by one.
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
    gray[pixel] = 0.299f * red + 0.587f * green + 0.114f * blue + 0.5f;  // wrong: the integers of picture.h
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
  double_kernel<<<grid_for(width, height), dim3(BLOCK, BLOCK)>>>(d_in, d_out, width, height);
  check_launch();
}

void picture_gray(const unsigned char* d_rgb, unsigned char* d_gray, int width, int height) {
  gray_kernel<<<grid_for(width, height), dim3(BLOCK, BLOCK)>>>(d_rgb, d_gray, width, height);
  check_launch();
}
