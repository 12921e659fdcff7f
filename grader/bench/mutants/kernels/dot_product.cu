// A dot product: partial sums in shared memory, the last warp by steps with __syncwarp(), and one atomic a block.
// Right, because barriers stand between the steps while several warps take part, and __syncwarp() stands between reads
// and writes after that.
#include <cuda_runtime.h>

#include <vector>

constexpr int kCount = 2000, kThreads = 128, kBlocks = 5;

__global__ void dot(const int* a, const int* b, int* result, int n) {
  __shared__ int sums[kThreads];
  const int t = threadIdx.x;
  int sum = 0;
  for (int i = blockIdx.x * kThreads + t; i < n; i += gridDim.x * kThreads) sum += a[i] * b[i];
  sums[t] = sum;
  // MUTANT barrier-deleted (race): the first step reads cells of other warps.
  __syncthreads();
  if (t < 64) sums[t] += sums[t + 64];
  // MUTANT barrier-deleted (race): the first warp reads sums of the second.
  // MUTANT barrier-weakened (race): __syncwarp() does not reach the second warp.
  // MUTANT barrier-duplicated (none): nothing new is ordered.
  __syncthreads();
  if (t < 32) {
    sum = sums[t] + sums[t + 32];
    for (int distance = 16; distance > 0; distance /= 2) {
      // MUTANT barrier-deleted (race): a lane overwrites a cell that another lane still reads; nothing says that lanes
      // go in step.
      // MUTANT barrier-strengthened (barrier): only the first warp reaches the barrier of the block.
      // MUTANT barrier-duplicated (none): orders nothing new.
      __syncwarp();
      sums[t] = sum;
      // MUTANT barrier-deleted (race): the lane reads a cell that another lane writes.
      // MUTANT barrier-guarded `t < distance` (barrier|race): __syncwarp() waits for all lanes, and some do not come.
      __syncwarp();
      if (t < distance) sum += sums[t + distance];
    }
    // MUTANT guard-dropped (none): a lane adds what it has: the sum is wrong, but atomics may meet.
    // MUTANT atomic-weakened `atomicAdd(result, sum)` -> `*result += sum` (race): blocks read and write one place.
    if (t == 0) atomicAdd(result, sum);
  }
}

int main() {
  std::vector<int> a(kCount), b(kCount);
  int expected = 0, result = 0;
  for (int i = 0; i < kCount; ++i) {
    a[i] = i % 7, b[i] = i % 5;
    expected += a[i] * b[i];
  }
  int *d_a = nullptr, *d_b = nullptr, *d_result = nullptr;
  cudaMalloc(&d_a, kCount * sizeof(int));
  cudaMalloc(&d_b, kCount * sizeof(int));
  cudaMalloc(&d_result, sizeof(int));
  cudaMemcpy(d_a, a.data(), kCount * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b.data(), kCount * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_result, 0, sizeof(int));
  // MUTANT grid-changed `kThreads>>>` -> `kThreads / 2>>>` (uninitialised): nobody writes the second half of the cells.
  dot<<<kBlocks, kThreads>>>(d_a, d_b, d_result, kCount);
  const cudaError_t error = cudaMemcpy(&result, d_result, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_result);
  if (error != cudaSuccess) return 2;
  return result == expected ? 0 : 1;
}
