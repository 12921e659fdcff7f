// Step 4 of 5: four pixels of a row an access.
//
// One instruction fetches 16 bytes. This works where all rows start on a 16-byte boundary; other widths fall back to
// single pixels, and to the speed of step 2.
//
// Measured on an H200: 4,317 GB/s and 100.8 % of the bandwidth of a device-to-device copy at 16,384 × 16,384 pixels;
// 2,508 and 58.5 % at 16,383 × 16,385.
//
// The ladder:
//    1  a thread for each pixel, blocks of 16 by 16
//    2  blocks as wide as a warp
//    3  eight pixels a thread, all fetched first
//  > 4  four pixels of a row an access
//    5  the picture as one long row

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace {

constexpr int kBlockWidth = 64, kBlockHeight = 4;
constexpr int kMaxRows = 65535 * kBlockHeight;  // a grid is at most 65,535 blocks high

__global__ void twice4(const float4* in, float4* out, int groups_across, int height) {
  const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (column < groups_across && row < height) {
    const size_t group = static_cast<size_t>(row) * groups_across + column;
    const float4 pixels = in[group];
    out[group] = make_float4(2.0f * pixels.x, 2.0f * pixels.y, 2.0f * pixels.z, 2.0f * pixels.w);
  }
}

__global__ void twice1(const float* in, float* out, int width, int height) {
  const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (column < width && row < height) {
    const size_t pixel = static_cast<size_t>(row) * width + column;
    out[pixel] = 2.0f * in[pixel];
  }
}

bool is_aligned(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address) % sizeof(float4) == 0;
}

}  // namespace

void picture_double(const float* d_in, float* d_out, int width, int height) {
  if (width <= 0 || height <= 0) return;
  // A 16-byte access needs a 16-byte boundary: every row starts on one only if rows are a multiple of four long.
  const bool aligned = width % 4 == 0 && is_aligned(d_in) && is_aligned(d_out);
  const int across = aligned ? width / 4 : width;
  const dim3 block(kBlockWidth, kBlockHeight);
  for (size_t row = 0; row < static_cast<size_t>(height); row += kMaxRows) {  // taller pictures go in strips
    const int rows = static_cast<int>(std::min<size_t>(height - row, kMaxRows));
    const dim3 grid((across - 1) / kBlockWidth + 1, (rows - 1) / kBlockHeight + 1);
    const float* in = d_in + row * width;
    float* out = d_out + row * width;
    if (aligned) {
      twice4<<<grid, block>>>(reinterpret_cast<const float4*>(in), reinterpret_cast<float4*>(out), across, rows);
    } else {
      twice1<<<grid, block>>>(in, out, across, rows);
    }
  }
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "picture_double: %s\n", cudaGetErrorString(error));
}
