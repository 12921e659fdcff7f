// C = A B by tiles in shared memory. Right, because one barrier stands between the writes of a pair of tiles and their
// reads, another one between these reads and the next writes, and all threads of the block make the same number of
// turns.
#include <cuda_runtime.h>

#include <vector>

constexpr int kM = 40, kN = 50, kP = 35, kTile = 16;

__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int p) {
  __shared__ float tile_a[kTile][kTile], tile_b[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  float sum = 0.0f;
  // MUTANT early-return `row >= m || column >= p` (barrier|uninitialised): threads outside of C also fill cells, and
  // have to reach the barriers.
  // MUTANT unequal-trips `k < n` -> `k < n - y` (barrier): rows 0 and 1 of the block make four turns, the others three.
  for (int k = 0; k < n; k += kTile) {
    // MUTANT guard-dropped `row < m && k + x < n ? a[row * n + k + x] : 0.0f` -> `a[row * n + k + x]` (bounds): A has
    // 40 rows, the blocks go to row 47.
    tile_a[y][x] = row < m && k + x < n ? a[row * n + k + x] : 0.0f;
    // MUTANT initialisation-skipped (uninitialised): tile_b is read, and never written.
    tile_b[y][x] = k + y < n && column < p ? b[(k + y) * p + column] : 0.0f;
    // MUTANT barrier-deleted (race): a warp reads rows of tile_b that other warps write.
    // MUTANT barrier-moved `-1` (race): then tile_b is written behind the barrier, beside its readers.
    // MUTANT barrier-guarded `row < m` (barrier): in the last blocks rows from 40 on do not reach it.
    // MUTANT barrier-duplicated (none): all threads reach both.
    __syncthreads();
    // MUTANT index-swapped `tile_b[i][x]` -> `tile_b[x][i]` (none): reads other cells that were written before the
    // barrier: a wrong product in right order.
    // MUTANT off-by-one `i < kTile` -> `i <= kTile` (bounds): tile_b has rows 0 to 15, and nothing lies behind it.
    for (int i = 0; i < kTile; ++i) sum += tile_a[y][i] * tile_b[i][x];
    // MUTANT barrier-deleted (race): a fast warp fills the next tiles while a slow one still reads these.
    // MUTANT barrier-weakened (race): __syncwarp() lets another warp fill the next tile_b too early.
    // MUTANT barrier-guarded `n > kTile` (none): the same condition for all threads, and true.
    __syncthreads();
  }
  if (row < m && column < p) c[row * p + column] = sum;
}

int main() {
  std::vector<float> a(kM * kN), b(kN * kP), c(kM * kP);
  for (int i = 0; i < kM * kN; ++i) a[i] = i % 5;
  for (int i = 0; i < kN * kP; ++i) b[i] = i % 3;
  float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
  cudaMalloc(&d_a, a.size() * sizeof(float));
  cudaMalloc(&d_b, b.size() * sizeof(float));
  cudaMalloc(&d_c, c.size() * sizeof(float));
  cudaMemcpy(d_a, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice);
  const dim3 threads(kTile, kTile), blocks((kP + kTile - 1) / kTile, (kM + kTile - 1) / kTile);
  matmul<<<blocks, threads>>>(d_a, d_b, d_c, kM, kN, kP);
  const cudaError_t error = cudaMemcpy(c.data(), d_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
  if (error != cudaSuccess) return 2;
  for (int row = 0; row < kM; ++row) {
    for (int column = 0; column < kP; ++column) {
      float sum = 0.0f;
      for (int k = 0; k < kN; ++k) sum += a[row * kN + k] * b[k * kP + column];
      if (c[row * kP + column] != sum) return 1;
    }
  }
  return 0;
}
