// Splits the values of a block by one bit, and keeps their order, for each of eight bits. Right, because barriers stand
// between the scan of the bits and its reads, and between reading all values and writing them to their new places,
// which are all different.
#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

constexpr int kCount = 128, kBits = 8;

__global__ void sort(int* values) {
  __shared__ int cells[kCount], zeros[kCount + 1];
  const int t = threadIdx.x;
  cells[t] = values[t];
  for (int bit = 0; bit < kBits; ++bit) {
    const int value = cells[t], is_zero = (value >> bit & 1) == 0;
    // MUTANT off-by-one `zeros[t + 1]` -> `zeros[t + 2]` (bounds|uninitialised): zeros has 129 places, and t + 2 is up
    // to 129; nothing writes zeros[1].
    zeros[t + 1] = is_zero;
    // MUTANT barrier-deleted (race): thread 0 reads bits that other warps write.
    __syncthreads();
    if (t == 0) {
      zeros[0] = 0;
      for (int i = 1; i <= kCount; ++i) zeros[i] += zeros[i - 1];
    }
    // MUTANT barrier-deleted (race): the others read sums that thread 0 is adding up.
    // MUTANT barrier-moved `-2` (barrier|race): inside of the branch only thread 0 reaches it.
    // MUTANT barrier-duplicated (none): nothing new is ordered.
    __syncthreads();
    // MUTANT index-swapped `zeros[kCount] + t - zeros[t]` -> `t` (race): a one may get the place of a zero.
    const int place = is_zero ? zeros[t] : zeros[kCount] + t - zeros[t];
    cells[place] = value;
    // MUTANT barrier-deleted (race): the next turn reads a cell that another thread writes.
    // MUTANT barrier-guarded `is_zero` (barrier): only threads whose value has the bit 0 reach it.
    // MUTANT barrier-guarded `bit < kBits` (none): the same for all threads, and true.
    __syncthreads();
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
