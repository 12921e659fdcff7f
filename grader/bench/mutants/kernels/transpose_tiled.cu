// A transposed matrix through tiles in shared memory; the padded column keeps banks apart. Right, because a thread
// reads cells of the tile that others wrote only behind the barrier, which all threads of the block reach.
#include <cuda_runtime.h>

#include <vector>

constexpr int kRows = 70, kColumns = 45, kTile = 16, kBytes = kRows * kColumns * sizeof(int);

__global__ void transpose(const int* in, int* out, int rows, int columns) {
  // MUTANT index-swapped `kTile + 1` -> `kTile` (none): without the padding reads meet in one bank; that is slow, and
  // right.
  __shared__ int tile[kTile][kTile + 1];
  const int column = blockIdx.x * kTile + threadIdx.x, row = blockIdx.y * kTile + threadIdx.y;
  // MUTANT guard-dropped (bounds): behind the last row there is no memory of `in`.
  // MUTANT off-by-one `row < rows` -> `row <= rows` (bounds): row 70 begins behind the array.
  if (row < rows && column < columns) tile[threadIdx.y][threadIdx.x] = in[row * columns + column];
  // MUTANT barrier-deleted (race): the cells that are read here were written by other warps.
  // MUTANT barrier-weakened (race): a warp is two rows of the tile; the column comes from eight warps.
  // MUTANT barrier-guarded `row < rows && column < columns` (barrier): in blocks at the edge some threads stay away.
  // MUTANT barrier-guarded `rows > 0` (none): the condition is the same for all threads.
  // MUTANT barrier-duplicated (none): all threads reach both.
  __syncthreads();
  const int out_column = blockIdx.y * kTile + threadIdx.x, out_row = blockIdx.x * kTile + threadIdx.y;
  // MUTANT index-swapped `out_row * rows + out_column` -> `out_column * columns + out_row` (none): that is the place in
  // `in`, so the matrix is copied: wrong, but each place is written once and inside.
  // MUTANT guard-dropped (bounds|uninitialised|race): cells that nobody filled go behind the end of the array, and into
  // places of other threads.
  if (out_row < columns && out_column < rows) out[out_row * rows + out_column] = tile[threadIdx.x][threadIdx.y];
}

int main() {
  std::vector<int> in(kRows * kColumns), out(kRows * kColumns);
  for (int i = 0; i < kRows * kColumns; ++i) in[i] = i;
  int *d_in = nullptr, *d_out = nullptr;
  cudaMalloc(&d_in, kBytes);
  cudaMalloc(&d_out, kBytes);
  cudaMemcpy(d_in, in.data(), kBytes, cudaMemcpyHostToDevice);
  const dim3 threads(kTile, kTile), blocks((kColumns + kTile - 1) / kTile, (kRows + kTile - 1) / kTile);
  transpose<<<blocks, threads>>>(d_in, d_out, kRows, kColumns);
  const cudaError_t error = cudaMemcpy(out.data(), d_out, kBytes, cudaMemcpyDeviceToHost);
  cudaFree(d_in);
  // MUTANT free-forgotten (leak): the result stays allocated at the end of the program.
  cudaFree(d_out);
  if (error != cudaSuccess) return 2;
  for (int row = 0; row < kRows; ++row) {
    for (int column = 0; column < kColumns; ++column) {
      if (out[column * kRows + row] != in[row * kColumns + column]) return 1;
    }
  }
  return 0;
}
