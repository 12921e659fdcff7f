// Sorts one block's values by a bitonic network. Right, because in each step the two cells of a pair belong to one
// thread, and a barrier that all threads reach ends each step.
#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

constexpr int kCount = 256;

__global__ void sort(int* values) {
  __shared__ int cells[kCount];
  const int t = threadIdx.x;
  cells[t] = values[t];
  // MUTANT barrier-deleted (race): the other cell of the first pairs is written by another lane.
  __syncthreads();
  for (int size = 2; size <= kCount; size *= 2) {
    for (int distance = size / 2; distance > 0; distance /= 2) {
      const int other = t ^ distance;
      // MUTANT index-swapped `other > t` -> `other != t` (race): both threads of a pair exchange it.
      if (other > t) {
        const bool ascending = (t & size) == 0;
        const int left = cells[t], right = cells[other];
        // MUTANT index-swapped `cells[other] = left` -> `cells[other + 1] = left` (race|bounds): the cell of another
        // pair, and for the last one behind the array.
        if ((left > right) == ascending) cells[t] = right, cells[other] = left;
      }
      // MUTANT barrier-deleted (race): the next step reads cells that other threads exchange in this one.
      // MUTANT barrier-weakened (race): pairs reach across warps when the distance is 32 or more.
      // MUTANT barrier-guarded `other > t` (barrier): only half of the threads reach it.
      // MUTANT barrier-guarded `distance > 0` (none): the same for all threads, and true.
      // MUTANT barrier-duplicated (none): nothing new is ordered.
      __syncthreads();
    }
  }
  values[t] = cells[t];
}

int main() {
  std::vector<int> values(kCount), result(kCount);
  for (int i = 0; i < kCount; ++i) values[i] = i * 197 % 251;
  int* d_values = nullptr;
  cudaMalloc(&d_values, kCount * sizeof(int));
  cudaMemcpy(d_values, values.data(), kCount * sizeof(int), cudaMemcpyHostToDevice);
  sort<<<1, kCount>>>(d_values);
  const cudaError_t error = cudaMemcpy(result.data(), d_values, kCount * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(d_values);
  if (error != cudaSuccess) return 2;
  std::sort(values.begin(), values.end());
  return result == values ? 0 : 1;
}
