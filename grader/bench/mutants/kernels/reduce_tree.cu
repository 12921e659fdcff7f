// A sum by a tree in shared memory, a block for each part. Right, because every step reads cells that were written
// before the barrier of the step before, the cells that a step writes are read by their own thread alone, and all
// threads make all steps.
#include <cuda_runtime.h>

#include <vector>

constexpr int kCount = 1000, kThreads = 128, kBlocks = (kCount + kThreads - 1) / kThreads;

__global__ void sum(const int* in, int* sums, int n) {
  __shared__ int partial[kThreads];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // MUTANT guard-dropped `i < n ? in[i] : 0` -> `in[i]` (bounds): in[1000] to in[1023] do not exist.
  // MUTANT initialisation-skipped (uninitialised): the tree adds up cells that nobody has written.
  // MUTANT off-by-one `partial[threadIdx.x]` -> `partial[threadIdx.x + 1]` (bounds|uninitialised): thread 127 writes
  // behind the array; cell 0 is never written.
  partial[threadIdx.x] = i < n ? in[i] : 0;
  // MUTANT barrier-deleted (race): the first step reads cells of other warps.
  __syncthreads();
  // MUTANT unequal-trips `width = blockDim.x / 2` -> `width = blockDim.x` (bounds): thread 0 reads partial[128].
  for (int width = blockDim.x / 2; width > 0; width /= 2) {
    // MUTANT guard-dropped (race|bounds): all threads add: thread width + t writes what thread t reads, and reads go
    // behind the array.
    if (threadIdx.x < width) partial[threadIdx.x] += partial[threadIdx.x + width];
    // MUTANT barrier-deleted (race): the next step reads sums that other threads write in this one.
    // MUTANT barrier-weakened (race): the steps of width 64 and 32 read sums that another warp has written.
    // MUTANT barrier-guarded `threadIdx.x < width` (barrier): fewer threads reach it in each step.
    // MUTANT barrier-guarded `width > 1` (none): behind the last step thread 0 reads its own sum; the condition is the
    // same for all threads.
    // MUTANT barrier-duplicated (none): all threads reach both.
    __syncthreads();
  }
  // MUTANT guard-dropped (race): 128 threads write one place. They write the same value; the memory model has no
  // exception for that.
  if (threadIdx.x == 0) sums[blockIdx.x] = partial[0];
}

int main() {
  std::vector<int> in(kCount), sums(kBlocks);
  for (int i = 0; i < kCount; ++i) in[i] = i % 11;
  int *d_in = nullptr, *d_sums = nullptr;
  cudaMalloc(&d_in, kCount * sizeof(int));
  cudaMalloc(&d_sums, kBlocks * sizeof(int));
  cudaMemcpy(d_in, in.data(), kCount * sizeof(int), cudaMemcpyHostToDevice);
  // MUTANT grid-changed `kBlocks, kThreads` -> `kBlocks + 1, kThreads` (bounds): block 8 writes sums[8] of 8.
  // MUTANT grid-changed `kBlocks, kThreads` -> `kBlocks, kThreads * 2` (bounds): threads from 128 on write behind the
  // array.
  sum<<<kBlocks, kThreads>>>(d_in, d_sums, kCount);
  const cudaError_t error = cudaMemcpy(sums.data(), d_sums, kBlocks * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(d_in);
  cudaFree(d_sums);
  if (error != cudaSuccess) return 2;
  int expected = 0, result = 0;
  for (const int value : in) expected += value;
  for (const int value : sums) result += value;
  return result == expected ? 0 : 1;
}
