// A sum under a lock that blocks take by compare-and-swap. Right, because who takes the lock has a fence before it
// reads, and a fence between its write and giving the lock back; one thread of a block asks, so no warp waits for
// itself.
#include <cuda_runtime.h>

constexpr int kBlocks = 8, kThreads = 32, kTurns = 3;

__global__ void add(int* lock, int* sum) {
  // MUTANT index-swapped `threadIdx.x == 0` -> `threadIdx.x == blockIdx.x` (none): another lane of each block asks.
  if (threadIdx.x == 0) {
    for (int turn = 0; turn < kTurns; ++turn) {
      // MUTANT guard-dropped `atomicCAS(lock, 0, 1) != 0` -> `false` (race): nobody waits for the lock.
      // MUTANT atomic-narrowed `atomicCAS` -> `atomicCAS_block` (race): the lock is taken from blocks, out of its
      // scope.
      while (atomicCAS(lock, 0, 1) != 0) {
      }
      // MUTANT fence-dropped (race): the read may come before the lock is taken.
      // MUTANT fence-strengthened (none): orders more than is needed.
      __threadfence();
      *sum += blockIdx.x + 1;
      // MUTANT fence-dropped (race): the lock may be free before the sum is written.
      // MUTANT fence-weakened (race): a fence of the block orders nothing for other blocks.
      // MUTANT fence-duplicated (none): changes no order.
      // MUTANT fence-moved `-1` (race): before the write it does not order it.
      __threadfence();
      // MUTANT atomic-weakened (race): a plain write of what other blocks change by atomics.
      atomicExch(lock, 0);
    }
  }
}

int main() {
  int *d_lock = nullptr, *d_sum = nullptr, sum = 0;
  cudaMalloc(&d_lock, sizeof(int));
  cudaMalloc(&d_sum, sizeof(int));
  cudaMemset(d_lock, 0, sizeof(int));
  // MUTANT initialisation-skipped (uninitialised): the sum begins with what lay there.
  cudaMemset(d_sum, 0, sizeof(int));
  add<<<kBlocks, kThreads>>>(d_lock, d_sum);
  const cudaError_t error = cudaMemcpy(&sum, d_sum, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(d_lock);
  cudaFree(d_sum);
  if (error != cudaSuccess) return 2;
  return sum == kTurns * kBlocks * (kBlocks + 1) / 2 ? 0 : 1;
}
