// EXPECT: full marks
// Two warps bring the tiles and eight use them; a pipeline object of the block keeps them apart.
#include "tiled_matmul.h"

#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <cuda/pipeline>

#include <cstdio>

constexpr int TILE = 32, ROWS = 4;  // a consumer computes four elements of a column
constexpr int PRODUCERS = 64, CONSUMERS = TILE * TILE / ROWS;

__global__ void tiled_matmul_kernel(const float* a, const float* b, float* c, int m, int n, int p) {
  __shared__ float tile_a[2][TILE][TILE], tile_b[2][TILE][TILE];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto pipeline = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state, PRODUCERS);
  const int first_row = blockIdx.y * TILE, first_col = blockIdx.x * TILE;
  const int phases = (n + TILE - 1) / TILE;

  if (threadIdx.x < PRODUCERS) {
    for (int t = 0; t < phases; ++t) {
      pipeline.producer_acquire();
      for (int i = threadIdx.x; i < TILE * TILE; i += PRODUCERS) {
        const int y = i / TILE, x = i % TILE;
        const int row = first_row + y, k_a = t * TILE + x, k_b = t * TILE + y, col = first_col + x;
        float *to_a = &tile_a[t % 2][y][x], *to_b = &tile_b[t % 2][y][x];
        if (row < m && k_a < n) {
          cuda::memcpy_async(to_a, a + row * n + k_a, sizeof(float), pipeline);
        } else {
          *to_a = 0.0f;
        }
        if (k_b < n && col < p) {
          cuda::memcpy_async(to_b, b + k_b * p + col, sizeof(float), pipeline);
        } else {
          *to_b = 0.0f;
        }
      }
      pipeline.producer_commit();
    }
    return;
  }

  const int x = (threadIdx.x - PRODUCERS) % TILE, y = (threadIdx.x - PRODUCERS) / TILE;
  float sums[ROWS] = {};
  for (int t = 0; t < phases; ++t) {
    pipeline.consumer_wait();
    for (int k = 0; k < TILE; ++k) {
      const float value = tile_b[t % 2][k][x];
      for (int j = 0; j < ROWS; ++j) sums[j] += tile_a[t % 2][y + j * TILE / ROWS][k] * value;
    }
    pipeline.consumer_release();
  }
  for (int j = 0; j < ROWS; ++j) {
    const int row = first_row + y + j * TILE / ROWS, col = first_col + x;
    if (row < m && col < p) c[row * p + col] = sums[j];
  }
}

void tiled_matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const dim3 grid((p + TILE - 1) / TILE, (m + TILE - 1) / TILE);
  tiled_matmul_kernel<<<grid, PRODUCERS + CONSUMERS>>>(d_a, d_b, d_c, m, n, p);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "tiled_matmul: %s\n", cudaGetErrorString(error));
}
