// An inclusive scan of the whole array in one launch: each block takes a number, publishes its sum and looks back at
// the blocks before it. Right, because numbers are given in the order in which blocks begin, so nobody waits for a
// block that has not begun; a published value is followed by a fence and a flag, and the thread that sees the flag has
// a fence before it reads.
#include <cuda_runtime.h>

#include <vector>

constexpr int kThreads = 64, kBlocks = 6, kCount = kThreads * kBlocks;

__global__ void scan(const int* in, int* out, int* next, int* flags, int* prefixes) {
  __shared__ int cells[kThreads];
  __shared__ int number, before;
  const int t = threadIdx.x;
  // MUTANT atomic-weakened `atomicAdd(next, 1)` -> `(*next)++` (race): two blocks may take the same number.
  if (t == 0) number = atomicAdd(next, 1);
  // MUTANT barrier-deleted (race): the other threads read a number that is not there yet.
  __syncthreads();
  cells[t] = in[number * kThreads + t];
  __syncthreads();
  if (t == 0) {
    for (int i = 1; i < kThreads; ++i) cells[i] += cells[i - 1];
    before = 0;
    if (number > 0) {
      // MUTANT guard-dropped `atomicAdd(&flags[number - 1], 0) == 0` -> `false` (race|uninitialised): nobody waits for
      // the block before.
      while (atomicAdd(&flags[number - 1], 0) == 0) {
      }
      // MUTANT fence-dropped (race): the read below may come before the flag was seen.
      __threadfence();
      // MUTANT off-by-one `prefixes[number - 1]` -> `prefixes[number]` (uninitialised): the block's own place, which it
      // has not written yet.
      before = prefixes[number - 1];
    }
    prefixes[number] = before + cells[kThreads - 1];
    // MUTANT fence-dropped (race): the flag may be seen before the value is.
    // MUTANT fence-weakened (race): a fence of the block orders nothing for other blocks.
    // MUTANT fence-strengthened (none): orders more than is needed.
    __threadfence();
    // MUTANT atomic-weakened (race): a plain write of a flag that others read meanwhile.
    atomicExch(&flags[number], 1);
  }
  // MUTANT barrier-deleted (race): the others read what thread 0 is still computing.
  // MUTANT barrier-duplicated (none): nothing new is ordered.
  __syncthreads();
  out[number * kThreads + t] = before + cells[t];
}

int main() {
  std::vector<int> in(kCount), out(kCount);
  for (int i = 0; i < kCount; ++i) in[i] = i % 9;
  int *d_in = nullptr, *d_out = nullptr, *d_next = nullptr, *d_flags = nullptr, *d_prefixes = nullptr;
  cudaMalloc(&d_in, kCount * sizeof(int));
  cudaMalloc(&d_out, kCount * sizeof(int));
  cudaMalloc(&d_next, sizeof(int));
  cudaMalloc(&d_flags, kBlocks * sizeof(int));
  cudaMalloc(&d_prefixes, kBlocks * sizeof(int));
  cudaMemcpy(d_in, in.data(), kCount * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_next, 0, sizeof(int));
  // MUTANT initialisation-skipped (uninitialised): the flags are whatever lay there.
  cudaMemset(d_flags, 0, kBlocks * sizeof(int));
  scan<<<kBlocks, kThreads>>>(d_in, d_out, d_next, d_flags, d_prefixes);
  const cudaError_t error = cudaMemcpy(out.data(), d_out, kCount * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(d_in);
  cudaFree(d_out);
  cudaFree(d_next);
  cudaFree(d_flags);
  // MUTANT free-forgotten (leak): nobody else frees it.
  cudaFree(d_prefixes);
  if (error != cudaSuccess) return 2;
  for (int i = 0, sum = 0; i < kCount; ++i) {
    if (out[i] != (sum += in[i])) return 1;
  }
  return 0;
}
