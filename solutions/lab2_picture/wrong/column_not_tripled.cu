// EXPECT: result-mismatch
// FIRST: result-mismatch at `const int first = 3 * y * width + x;`
// The three bytes of a pixel begin at three times its number: the column must be tripled like the rows before it.
// DIFFERS: names and helpers of its own, as another author would write them.
#include "picture.h"

#include <cuda_runtime.h>

#include <cstdio>

const int quiz_blocks_x = 5;
const int quiz_blocks_y = 4;
const int quiz_blocks = 5 * 4;
const int quiz_threads = 5 * 4 * 16 * 16;
const int quiz_idle_threads = 5 * 4 * 16 * 16 - 72 * 62;

constexpr int kSide = 16;

__global__ void twice(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * kSide + threadIdx.x;
  const int y = blockIdx.y * kSide + threadIdx.y;
  if (x < width && y < height) out[y * width + x] = 2 * in[y * width + x];
}

__device__ unsigned char brightness(int red, int green, int blue) {
  return (77 * red + 150 * green + 29 * blue + 128) / 256;
}

__global__ void to_gray(const unsigned char* rgb, unsigned char* gray, int width, int height) {
  const int x = blockIdx.x * kSide + threadIdx.x;
  const int y = blockIdx.y * kSide + threadIdx.y;
  if (x >= width || y >= height) return;
  const int first = 3 * y * width + x;  // wrong: 3 * (y * width + x)
  gray[y * width + x] = brightness(rgb[first], rgb[first + 1], rgb[first + 2]);
}

dim3 blocks_for(int width, int height) {
  return dim3((width + kSide - 1) / kSide, (height + kSide - 1) / kSide);
}

void say_if_failed() {
  const cudaError_t status = cudaGetLastError();
  if (status != cudaSuccess) std::fprintf(stderr, "picture: %s\n", cudaGetErrorString(status));
}

void picture_double(const float* d_in, float* d_out, int width, int height) {
  twice<<<blocks_for(width, height), dim3(kSide, kSide)>>>(d_in, d_out, width, height);
  say_if_failed();
}

void picture_gray(const unsigned char* d_rgb, unsigned char* d_gray, int width, int height) {
  to_gray<<<blocks_for(width, height), dim3(kSide, kSide)>>>(d_rgb, d_gray, width, height);
  say_if_failed();
}
