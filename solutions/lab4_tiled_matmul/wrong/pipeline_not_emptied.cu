// EXPECT: uninitialized-read
// FIRST: uninitialized-read at `sum += tile_a`
// Two buffers, filled through a pipeline of the thread, but nothing waits for the last copies.
#include "tiled_matmul.h"

#include <cuda_runtime.h>

#include <cstdio>
#include <cuda/pipeline>

constexpr int TILE = 16;

// Begins to copy an element into a tile; a place outside the matrix gets its zero at once.
template <class Pipeline>
__device__ void fetch(float* to, const float* from, bool inside, Pipeline& pipeline) {
  if (inside) {
    cuda::memcpy_async(to, from, sizeof(float), pipeline);
  } else {
    *to = 0.0f;
  }
}

__global__ void tiled_matmul_kernel(const float* a, const float* b, float* c, int m, int n, int p) {
  __shared__ float tile_a[2][TILE][TILE], tile_b[2][TILE][TILE];
  cuda::pipeline<cuda::thread_scope_thread> pipeline = cuda::make_pipeline();
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
  const int phases = (n + TILE - 1) / TILE;
  float sum = 0.0f;
  for (int t = 0; t <= phases; ++t) {
    if (t < phases) {
      const int k_a = t * TILE + tx, k_b = t * TILE + ty, fill = t % 2;
      pipeline.producer_acquire();
      fetch(&tile_a[fill][ty][tx], a + row * n + k_a, row < m && k_a < n, pipeline);
      fetch(&tile_b[fill][ty][tx], b + k_b * p + col, k_b < n && col < p, pipeline);
      pipeline.producer_commit();
    }
    if (t == 0) continue;
    cuda::pipeline_consumer_wait_prior<1>(pipeline);  // wrong: in the last round the newest batch is the one to use
    __syncthreads();                                  // and so have the parts that other threads copied
    const int use = (t - 1) % 2;
    for (int k = 0; k < TILE; ++k) sum += tile_a[use][ty][k] * tile_b[use][k][tx];
    pipeline.consumer_release();
    __syncthreads();  // nobody reads this buffer any more: the next round fills it
  }
  if (row < m && col < p) c[row * p + col] = sum;
}

void tiled_matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const dim3 block(TILE, TILE);
  const dim3 grid((p + TILE - 1) / TILE, (m + TILE - 1) / TILE);
  tiled_matmul_kernel<<<grid, block>>>(d_a, d_b, d_c, m, n, p);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "tiled_matmul: %s\n", cudaGetErrorString(error));
}
