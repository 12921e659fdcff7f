// Sorts by exchanging neighbours, at even places and at odd ones by turns, a launch for each turn. Right, because a
// pair belongs to one thread in a launch, and launches in one stream follow each other.
#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

constexpr int kCount = 60;

__global__ void exchange(int* values, int first, int n) {
  // MUTANT index-swapped `2 * (blockIdx.x * blockDim.x + threadIdx.x)` -> `(blockIdx.x * blockDim.x + threadIdx.x)`
  // (race): pairs overlap, and two threads touch the place that they share.
  const int i = first + 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  // MUTANT guard-dropped (bounds): the last pairs lie behind the array.
  // MUTANT off-by-one `i + 1 >= n` -> `i >= n` (bounds): the pair of place 59 has a place 60.
  if (i + 1 >= n) return;
  const int left = values[i], right = values[i + 1];
  if (left > right) {
    values[i] = right;
    values[i + 1] = left;
  }
}

int main() {
  std::vector<int> values(kCount), result(kCount);
  for (int i = 0; i < kCount; ++i) values[i] = i * 47 % 61;
  int* d_values = nullptr;
  cudaMalloc(&d_values, kCount * sizeof(int));
  // MUTANT initialisation-skipped (uninitialised): what is sorted was never written.
  cudaMemcpy(d_values, values.data(), kCount * sizeof(int), cudaMemcpyHostToDevice);
  for (int turn = 0; turn < kCount; ++turn) {
    exchange<<<1, 32>>>(d_values, turn % 2, kCount);
  }
  const cudaError_t error = cudaMemcpy(result.data(), d_values, kCount * sizeof(int), cudaMemcpyDeviceToHost);
  // MUTANT free-early `-1` (lifetime): the array is freed before the copy back.
  // MUTANT free-forgotten (leak): nobody else frees it.
  cudaFree(d_values);
  if (error != cudaSuccess) return 2;
  std::sort(values.begin(), values.end());
  return result == values ? 0 : 1;
}
