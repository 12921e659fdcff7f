// What the steps of the ladder leave out of lab 2's contract: part (b) and the quiz. Appended to a step when it is
// graded.
#include "picture.h"

const int quiz_blocks_x = 5;
const int quiz_blocks_y = 4;
const int quiz_blocks = 20;
const int quiz_threads = 5120;
const int quiz_idle_threads = 656;

__global__ void gray_of_one_pixel(const unsigned char* rgb, unsigned char* gray, int pixels) {
  const int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  if (pixel < pixels)
    gray[pixel] = (77 * rgb[3 * pixel] + 150 * rgb[3 * pixel + 1] + 29 * rgb[3 * pixel + 2] + 128) / 256;
}

void picture_gray(const unsigned char* d_rgb, unsigned char* d_gray, int width, int height) {
  gray_of_one_pixel<<<(width * height + 255) / 256, 256>>>(d_rgb, d_gray, width * height);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "picture_gray: %s\n", cudaGetErrorString(error));
}
