// Step 4 of 5: four elements of a row a thread.
//
// A value of A, once in a register, serves four multiplications: five reads for four multiplications instead of eight.
// A thread's columns are a block's width apart, so that every read of a warp stays one piece.
//
// Measured on an H200: 3,859 GFLOP/s and 7.6 % of cuBLAS's speed in plain FP32 at 4,096³. Fewer reads, and slower
// there than step 3: a quarter of the threads is left to wait for them.
//
// The ladder:
//    1  row and column the wrong way round
//    2  neighbouring threads on neighbouring elements
//    3  blocks as wide as a warp
//  > 4  four elements of a row a thread
//    5  four by four elements a thread

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>

namespace {

constexpr int kBlockWidth = 32, kBlockHeight = 8;
constexpr int kColumns = 4;  // elements of C a thread
constexpr int kColumnsPerBlock = kBlockWidth * kColumns;
constexpr int kMaxRows = 65535 * kBlockHeight;  // a grid is at most 65,535 blocks high

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int p) {
  const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int first = static_cast<int>(blockIdx.x) * kColumnsPerBlock + static_cast<int>(threadIdx.x);
  if (row >= m || first >= p) return;

  int columns[kColumns];  // those beyond the last are moved onto it, and their sums not stored
#pragma unroll
  for (int j = 0; j < kColumns; ++j) columns[j] = min(first + j * kBlockWidth, p - 1);

  float sums[kColumns] = {};
  for (int k = 0; k < n; ++k) {
    const float factor = a[static_cast<size_t>(row) * n + k];
    const float* b_row = b + static_cast<size_t>(k) * p;
#pragma unroll
    for (int j = 0; j < kColumns; ++j) sums[j] += factor * b_row[columns[j]];
  }

#pragma unroll
  for (int j = 0; j < kColumns; ++j) {
    const int column = first + j * kBlockWidth;
    if (column < p) c[static_cast<size_t>(row) * p + column] = sums[j];
  }
}

}  // namespace

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const dim3 block(kBlockWidth, kBlockHeight);
  for (size_t row = 0; row < static_cast<size_t>(m); row += kMaxRows) {  // taller products go in strips
    const int rows = static_cast<int>(std::min<size_t>(m - row, kMaxRows));
    const dim3 grid((p - 1) / kColumnsPerBlock + 1, (rows - 1) / kBlockHeight + 1);
    multiply<<<grid, block>>>(d_a + row * n, d_b, d_c + row * p, rows, n, p);
  }
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "matmul: %s\n", cudaGetErrorString(error));
}
