// C = A B where each thread computes 4 x 4 places from registers. Right, because the barriers stand between the writes
// of the tiles, their reads and the next writes, and the sizes are multiples of the tiles, which the kernel counts on.
#include <cuda_runtime.h>

#include <vector>

constexpr int kSize = 64, kTile = 32, kDepth = 8, kEach = 4, kThreads = 64;

__global__ void matmul(const float* a, const float* b, float* c, int size) {
  __shared__ float tile_a[kTile][kDepth], tile_b[kDepth][kTile];
  const int first_row = blockIdx.y * kTile, first_column = blockIdx.x * kTile;
  const int row = threadIdx.x / (kTile / kEach) * kEach, column = threadIdx.x % (kTile / kEach) * kEach;
  float sums[kEach][kEach] = {};
  for (int k = 0; k < size; k += kDepth) {
    // MUTANT unequal-trips `i += kThreads` -> `i += kThreads * 2` (uninitialised): every second group of 64 cells of
    // both tiles stays unwritten.
    for (int i = threadIdx.x; i < kTile * kDepth; i += kThreads) {
      // MUTANT off-by-one `(first_row + i / kDepth)` -> `(first_row + 1 + i / kDepth)` (bounds): the last block reads
      // row 64.
      tile_a[i / kDepth][i % kDepth] = a[(first_row + i / kDepth) * size + k + i % kDepth];
      tile_b[i / kTile][i % kTile] = b[(k + i / kTile) * size + first_column + i % kTile];
    }
    // MUTANT barrier-deleted (race): two warps fill the tiles, and each reads what both have filled.
    // MUTANT barrier-weakened (race): the block has two warps, and __syncwarp() orders neither with the other.
    // MUTANT barrier-guarded `threadIdx.x < 48` (barrier): the second half of the second warp does not reach it.
    __syncthreads();
    for (int i = 0; i < kDepth; ++i) {
      for (int y = 0; y < kEach; ++y) {
        for (int x = 0; x < kEach; ++x) sums[y][x] += tile_a[row + y][i] * tile_b[i][column + x];
      }
    }
    // MUTANT barrier-deleted (race): the next turn overwrites tiles that the other warp may still read.
    // MUTANT barrier-duplicated (none): orders nothing new.
    __syncthreads();
  }
  for (int y = 0; y < kEach; ++y) {
    float* to = &c[(first_row + row + y) * size + first_column + column];
    // MUTANT off-by-one `to[x]` -> `to[x + 1]` (race|bounds): place 4 belongs to the thread beside, and for the last
    // one it is behind C.
    for (int x = 0; x < kEach; ++x) to[x] = sums[y][x];
  }
}

int main() {
  constexpr int kBytes = kSize * kSize * sizeof(float);
  std::vector<float> a(kSize * kSize), b(kSize * kSize), c(kSize * kSize);
  for (int i = 0; i < kSize * kSize; ++i) a[i] = i % 5, b[i] = i % 3;
  float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
  cudaMalloc(&d_a, kBytes);
  cudaMalloc(&d_b, kBytes);
  cudaMalloc(&d_c, kBytes);
  cudaMemcpy(d_a, a.data(), kBytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b.data(), kBytes, cudaMemcpyHostToDevice);
  matmul<<<dim3(kSize / kTile, kSize / kTile), kThreads>>>(d_a, d_b, d_c, kSize);
  const cudaError_t error = cudaMemcpy(c.data(), d_c, kBytes, cudaMemcpyDeviceToHost);
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
  if (error != cudaSuccess) return 2;
  for (int row = 0; row < kSize; ++row) {
    for (int column = 0; column < kSize; ++column) {
      float sum = 0.0f;
      for (int k = 0; k < kSize; ++k) sum += a[row * kSize + k] * b[k * kSize + column];
      if (c[row * kSize + column] != sum) return 1;
    }
  }
  return 0;
}
