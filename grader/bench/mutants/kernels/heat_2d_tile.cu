// Steps of the heat equation on a square with a fixed border: two arrays that change places, and a tile with halo in
// shared memory. Right, because a step reads one array and writes the other, steps follow each other in one stream, and
// in a block the barrier stands between the writes of the tile and its reads.
#include <cuda_runtime.h>

#include <utility>
#include <vector>

constexpr int kWidth = 50, kTile = 16, kSteps = 4, kCells = kWidth * kWidth, kBytes = kCells * sizeof(float);

__global__ void step(const float* from, float* to, int width) {
  __shared__ float tile[kTile + 2][kTile + 2];
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  // 18 x 18 cells by 16 x 16 threads: each thread fills one or two.
  const int first = threadIdx.y * kTile + threadIdx.x;
  // MUTANT unequal-trips `cell += kTile * kTile` -> `cell += kTile * kTile * 2` (uninitialised): nobody fills the cells
  // from 256 on.
  for (int cell = first; cell < (kTile + 2) * (kTile + 2); cell += kTile * kTile) {
    const int cell_x = cell % (kTile + 2), cell_y = cell / (kTile + 2);
    const int from_x = static_cast<int>(blockIdx.x) * kTile + cell_x - 1;
    const int from_y = static_cast<int>(blockIdx.y) * kTile + cell_y - 1;
    const bool inside = from_x >= 0 && from_x < width && from_y >= 0 && from_y < width;
    // MUTANT guard-dropped `inside ? from[from_y * width + from_x] : 0.0f` -> `from[from_y * width + from_x]` (bounds):
    // the halo of the first block begins at cell -51 of the array.
    tile[cell_y][cell_x] = inside ? from[from_y * width + from_x] : 0.0f;
  }
  // MUTANT barrier-deleted (race): a thread reads neighbours that other warps fill.
  // MUTANT barrier-moved `1` (barrier|race): behind the return, only the threads inside of the square reach it.
  // MUTANT barrier-duplicated (none): one more barrier of all threads changes no order.
  __syncthreads();
  if (x >= width || y >= width) return;
  const int row = threadIdx.y + 1, column = threadIdx.x + 1;
  const float here = tile[row][column];
  if (x == 0 || x == width - 1 || y == 0 || y == width - 1) {
    to[y * width + x] = here;
    return;
  }
  // MUTANT index-swapped `tile[row - 1][column]` -> `tile[row - 2][column]` (bounds): row -1 for the tile's first row.
  const float sides = tile[row - 1][column] + tile[row + 1][column] + tile[row][column - 1] + tile[row][column + 1];
  to[y * width + x] = here + 0.25f * (sides - 4.0f * here);
}

int main() {
  std::vector<float> state(kCells), next(kCells), result(kCells);
  for (int i = 0; i < kCells; ++i) state[i] = i % 7;
  float *d_from = nullptr, *d_to = nullptr;
  cudaMalloc(&d_from, kBytes);
  cudaMalloc(&d_to, kBytes);
  cudaMemcpy(d_from, state.data(), kBytes, cudaMemcpyHostToDevice);
  const dim3 threads(kTile, kTile), blocks((kWidth + kTile - 1) / kTile, (kWidth + kTile - 1) / kTile);
  for (int i = 0; i < kSteps; ++i) {
    // MUTANT index-swapped `(d_from, d_to, kWidth)` -> `(d_from, d_from, kWidth)` (race): blocks write cells that other
    // blocks read into their halo.
    step<<<blocks, threads>>>(d_from, d_to, kWidth);
    // MUTANT index-swapped `std::swap(d_from, d_to)` -> `std::swap(d_from, d_from)` (none): each step computes the same
    // again; the result is wrong, but every access is in order.
    std::swap(d_from, d_to);
  }
  const cudaError_t error = cudaMemcpy(result.data(), d_from, kBytes, cudaMemcpyDeviceToHost);
  cudaFree(d_from);
  cudaFree(d_to);
  if (error != cudaSuccess) return 2;
  for (int i = 0; i < kSteps; ++i) {
    next = state;
    for (int y = 1; y < kWidth - 1; ++y) {
      for (int x = 1; x < kWidth - 1; ++x) {
        const float* at = &state[y * kWidth + x];
        next[y * kWidth + x] = at[0] + 0.25f * (at[-kWidth] + at[kWidth] + at[-1] + at[1] - 4.0f * at[0]);
      }
    }
    state.swap(next);
  }
  for (int i = 0; i < kCells; ++i) {
    if (result[i] - state[i] > 1e-4f || state[i] - result[i] > 1e-4f) return 1;
  }
  return 0;
}
