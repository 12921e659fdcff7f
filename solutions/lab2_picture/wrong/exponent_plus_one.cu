// EXPECT: result-mismatch
// FIRST: result-mismatch at `out[i] = __int_as_float(`
// DIFFERS: both kernels go through the picture as one line
// One is added to the exponent instead of doubling: a zero becomes 2^-126, and a subnormal value something else.
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

static unsigned blocks_for(size_t n) {
  return unsigned((n + 255) / 256 < 1000000 ? (n + 255) / 256 : 1000000);
}

__global__ void bump_exponent(const float* in, float* out, size_t n) {
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) {
    out[i] = __int_as_float(__float_as_int(in[i]) + (1 << 23));  // wrong: 2.0f * in[i]
  }
}

void picture_double(const float* d_in, float* d_out, int width, int height) {
  const size_t n = size_t(width) * height;
  bump_exponent<<<blocks_for(n), 256>>>(d_in, d_out, n);
  ok(cudaGetLastError(), "bump_exponent");
}

__global__ void gray_line(const unsigned char* rgb, unsigned char* gray, size_t n) {
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) {
    const unsigned char* p = rgb + 3 * i;
    gray[i] = (unsigned char)((77 * p[0] + 150 * p[1] + 29 * p[2] + 128) >> 8);
  }
}

void picture_gray(const unsigned char* d_rgb, unsigned char* d_gray, int width, int height) {
  const size_t n = size_t(width) * height;
  gray_line<<<blocks_for(n), 256>>>(d_rgb, d_gray, n);
  ok(cudaGetLastError(), "gray_line");
}
