// EXPECT: result-mismatch
// FIRST: result-mismatch at `out[i] = fminf(`
// DIFFERS: the kernels get row and column by a function of cooperative groups
// The doubled value ends at 255, as brightness on a screen does; the contract has no such limit.
#include "picture.h"

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>

namespace cg = cooperative_groups;

const int quiz_blocks_x = 5;        // 72 / 16 = 4.5
const int quiz_blocks_y = 4;        // 62 / 16 = 3.9
const int quiz_blocks = 20;         // 5 * 4
const int quiz_threads = 5120;      // 20 * 256
const int quiz_idle_threads = 656;  // 5120 - 72 * 62

constexpr int BLOCK = 16;

// column (x) and row (y) of this thread
__device__ uint2 position() {
  const cg::thread_block block = cg::this_thread_block();
  const dim3 b = block.group_index();
  const dim3 t = block.thread_index();
  return make_uint2(b.x * BLOCK + t.x, b.y * BLOCK + t.y);
}

// Part (a)
__global__ void double_kernel(const float* in, float* out, unsigned width, unsigned height) {
  const uint2 p = position();
  if (p.x < width && p.y < height) {
    const size_t i = static_cast<size_t>(p.y) * width + p.x;
    out[i] = fminf(2.0f * in[i], 255.0f);  // wrong: 2.0f * in[i]
  }
}

// Part (b)
__global__ void gray_kernel(const unsigned char* rgb, unsigned char* gray, unsigned width, unsigned height) {
  const uint2 p = position();
  if (p.x < width && p.y < height) {
    const size_t i = static_cast<size_t>(p.y) * width + p.x;
    const unsigned char* colour = &rgb[3 * i];
    int value = 128;
    value += 77 * colour[0];
    value += 150 * colour[1];
    value += 29 * colour[2];
    gray[i] = static_cast<unsigned char>(value / 256);
  }
}

static void check(const char* where) {
  const cudaError_t err = cudaGetLastError();
  if (err != cudaSuccess) {
    std::fprintf(stderr, "%s: launch failed: %s\n", where, cudaGetErrorString(err));
  }
}

void picture_double(const float* d_in, float* d_out, int width, int height) {
  const dim3 block(BLOCK, BLOCK);
  const dim3 grid((width + BLOCK - 1) / BLOCK, (height + BLOCK - 1) / BLOCK);
  double_kernel<<<grid, block>>>(d_in, d_out, width, height);
  check("picture_double");
}

void picture_gray(const unsigned char* d_rgb, unsigned char* d_gray, int width, int height) {
  const dim3 block(BLOCK, BLOCK);
  const dim3 grid((width + BLOCK - 1) / BLOCK, (height + BLOCK - 1) / BLOCK);
  gray_kernel<<<grid, block>>>(d_rgb, d_gray, width, height);
  check("picture_gray");
}
