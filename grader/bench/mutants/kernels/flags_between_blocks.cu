// Block 0 makes values, block 1 uses them, one after the other, by a counter. Right, because a fence and an atomic
// follow each value, and the user sees the count by an atomic and has a fence before it reads. Two blocks fit on any
// device at a time.
#include <cuda_runtime.h>

#include <vector>

constexpr int kCount = 40, kThreads = 32;

__global__ void pass_on(int* values, unsigned* ready, int* out) {
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    for (int i = 0; i < kCount; ++i) {
      values[i * kThreads + t] = i * t;
      // MUTANT barrier-deleted (race): lane 0 may count before the other lanes have written.
      // MUTANT barrier-duplicated (none): nothing new is ordered.
      __syncthreads();
      if (t == 0) {
        // MUTANT fence-dropped (race): the count may be seen before the values.
        // MUTANT fence-weakened (race): a fence of the block orders nothing for the other block.
        // MUTANT fence-strengthened (none): orders more than is needed.
        __threadfence();
        // MUTANT atomic-weakened (race): a plain write of what the other block reads meanwhile.
        // MUTANT atomic-narrowed (race): block scope does not reach the other block.
        atomicAdd(ready, 1u);
      }
    }
  } else {
    for (int i = 0; i < kCount; ++i) {
      if (t == 0) {
        // MUTANT off-by-one `<= i` -> `< i` (race|uninitialised): block 1 goes on when the value before is there.
        while (atomicAdd(ready, 0u) <= i) {
        }
        // MUTANT fence-dropped (race): the values may be read before the count was seen: the barrier orders the block,
        // and the values come from another one.
        __threadfence();
      }
      // MUTANT barrier-deleted (race): the other lanes read before lane 0 has seen the count.
      // MUTANT barrier-weakened (none): the block is one warp, and __syncwarp() orders its lanes.
      __syncthreads();
      out[i * kThreads + t] = values[i * kThreads + t] + 1;
    }
  }
}

int main() {
  constexpr int kBytes = kCount * kThreads * sizeof(int);
  std::vector<int> out(kCount * kThreads);
  int *d_values = nullptr, *d_out = nullptr;
  unsigned* d_ready = nullptr;
  cudaMalloc(&d_values, kBytes);
  cudaMalloc(&d_out, kBytes);
  cudaMalloc(&d_ready, sizeof(unsigned));
  cudaMemset(d_ready, 0, sizeof(unsigned));
  // MUTANT grid-changed `<<<2, kThreads>>>` -> `<<<3, kThreads>>>` (race): a third block writes the same results.
  pass_on<<<2, kThreads>>>(d_values, d_ready, d_out);
  const cudaError_t error = cudaMemcpy(out.data(), d_out, kBytes, cudaMemcpyDeviceToHost);
  cudaFree(d_values);
  cudaFree(d_out);
  cudaFree(d_ready);
  if (error != cudaSuccess) return 2;
  for (int i = 0; i < kCount * kThreads; ++i) {
    if (out[i] != i / kThreads * (i % kThreads) + 1) return 1;
  }
  return 0;
}
