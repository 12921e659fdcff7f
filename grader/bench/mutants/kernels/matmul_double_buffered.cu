// C = A B with two pairs of tiles: asynchronous copies fill one while the other is used. Right, because a thread waits
// for its own copies, the barrier behind shows them to the others, and the second barrier keeps the next copies out of
// tiles that are still read.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <vector>

constexpr int kSize = 64, kTile = 16;

__global__ void matmul(const float* a, const float* b, float* c, int size) {
  __shared__ float tile_a[2][kTile][kTile], tile_b[2][kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  const auto fetch = [&](int buffer, int k) {
    __pipeline_memcpy_async(&tile_a[buffer][y][x], &a[row * size + k + x], sizeof(float));
    // MUTANT initialisation-skipped (uninitialised): nothing is ever copied into tile_b.
    __pipeline_memcpy_async(&tile_b[buffer][y][x], &b[(k + y) * size + column], sizeof(float));
    __pipeline_commit();
  };
  fetch(0, 0);
  float sum = 0.0f;
  for (int k = 0, buffer = 0; k < size; k += kTile, buffer ^= 1) {
    // MUTANT guard-dropped (bounds): the last turn copies a tile that lies behind B.
    if (k + kTile < size) fetch(buffer ^ 1, k + kTile);
    // MUTANT order-dropped (race|uninitialised): the copies of this tile may still be on their way when they are read.
    // MUTANT off-by-one `k + kTile < size ? 1 : 0` -> `1` (race|uninitialised): in the last turn the newest copy is the
    // one that is needed.
    __pipeline_wait_prior(k + kTile < size ? 1 : 0);
    // MUTANT barrier-deleted (race): each thread has waited for its own copies, not for those of others.
    // MUTANT barrier-duplicated (none): the second one orders nothing new.
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += tile_a[buffer][y][i] * tile_b[buffer][i][x];
    // MUTANT barrier-deleted (race): the next turn copies into the tiles that slow warps still read.
    // MUTANT barrier-guarded `y < 8` (barrier): half of the block does not reach it.
    __syncthreads();
  }
  c[row * size + column] = sum;
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
  matmul<<<dim3(kSize / kTile, kSize / kTile), dim3(kTile, kTile)>>>(d_a, d_b, d_c, kSize);
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
