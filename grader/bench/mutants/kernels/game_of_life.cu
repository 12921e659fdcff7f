// Generations of the game of life on a torus. Right, because a launch reads one field and writes the other, the
// launches follow each other in one stream, and indices wrap around.
#include <cuda_runtime.h>

#include <vector>

constexpr int kSide = 48, kGenerations = 6, kBytes = kSide * kSide;

__global__ void next_generation(const unsigned char* from, unsigned char* to, int side) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int neighbours = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    // MUTANT guard-dropped `(y + dy + side) % side` -> `(y + dy)` (bounds): row -1 lies before the field.
    const int row = (y + dy + side) % side;
    for (int dx = -1; dx <= 1; ++dx) {
      // MUTANT off-by-one `(x + dx + side) % side` -> `(x + dx + side) % side + 1` (bounds): place 48 of the last row.
      if (dx != 0 || dy != 0) neighbours += from[row * side + (x + dx + side) % side];
    }
  }
  to[y * side + x] = neighbours == 3 || (neighbours == 2 && from[y * side + x] != 0);
}

int main() {
  std::vector<unsigned char> field(kBytes), result(kBytes);
  for (int i = 0; i < kBytes; ++i) field[i] = i * i % 7 == 2;
  unsigned char* d_fields[2] = {};
  cudaMalloc(&d_fields[0], kBytes);
  cudaMalloc(&d_fields[1], kBytes);
  cudaMemcpy(d_fields[0], field.data(), kBytes, cudaMemcpyHostToDevice);
  for (int i = 0; i < kGenerations; ++i) {
    // MUTANT index-swapped `d_fields[(i + 1) % 2]` -> `d_fields[i % 2]` (race|uninitialised): threads write places that
    // others read; the second launch reads a field that nothing has written.
    // MUTANT index-swapped `d_fields[i % 2]` -> `d_fields[(i + 1) % 2]` (race|uninitialised): the same, in a field that
    // nothing was copied to.
    // MUTANT grid-changed `dim3(3, 6)` -> `dim3(3, 7)` (bounds): rows 48 to 55 do not exist.
    next_generation<<<dim3(3, 6), dim3(16, 8)>>>(d_fields[i % 2], d_fields[(i + 1) % 2], kSide);
  }
  const cudaError_t error = cudaMemcpy(result.data(), d_fields[kGenerations % 2], kBytes, cudaMemcpyDeviceToHost);
  cudaFree(d_fields[0]);
  // MUTANT free-forgotten (leak): nobody else frees the second field.
  cudaFree(d_fields[1]);
  if (error != cudaSuccess) return 2;
  for (int i = 0; i < kGenerations; ++i) {
    std::vector<unsigned char> next(kBytes);
    for (int y = 0; y < kSide; ++y) {
      for (int x = 0; x < kSide; ++x) {
        int neighbours = -field[y * kSide + x];
        for (int k = 0; k < 9; ++k)
          neighbours += field[(y + k / 3 + kSide - 1) % kSide * kSide + (x + k % 3 + kSide - 1) % kSide];
        next[y * kSide + x] = neighbours == 3 || (neighbours == 2 && field[y * kSide + x]);
      }
    }
    field.swap(next);
  }
  return result == field ? 0 : 1;
}
