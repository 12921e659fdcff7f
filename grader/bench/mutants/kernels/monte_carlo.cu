// Points in a quarter of a circle, with a random generator a thread. Right, because a thread changes its own state
// only, and the hits of all are added by atomics.
#include <cuda_runtime.h>

#include <vector>

constexpr int kThreads = 96, kBlocks = 4, kStates = kThreads * kBlocks, kTrials = 50;

__host__ __device__ unsigned step(unsigned& state) {
  state = state * 1664525u + 1013904223u;
  return state >> 16;
}

__host__ __device__ unsigned hits_of(unsigned& state) {
  unsigned hits = 0;
  for (int i = 0; i < kTrials; ++i) {
    const unsigned x = step(state), y = step(state);
    hits += static_cast<unsigned long long>(x) * x + static_cast<unsigned long long>(y) * y < (1ull << 32);
  }
  return hits;
}

__global__ void simulate(unsigned* states, unsigned* hits) {
  __shared__ unsigned block_hits;
  // MUTANT index-swapped `blockIdx.x * blockDim.x + threadIdx.x` -> `threadIdx.x` (race): blocks share their states.
  // MUTANT off-by-one `blockIdx.x * blockDim.x + threadIdx.x` -> `blockIdx.x * blockDim.x + threadIdx.x + 1` (bounds):
  // the last thread's state lies behind the array.
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // MUTANT initialisation-skipped (uninitialised): the count begins with what lay there.
  // MUTANT guard-dropped (race): all write the same zero, without an order between them.
  if (threadIdx.x == 0) block_hits = 0;
  // MUTANT barrier-deleted (race): the zero may be written after the first hits.
  // MUTANT barrier-duplicated (none): nothing new is ordered.
  __syncthreads();
  unsigned state = states[i];
  // MUTANT atomic-weakened `atomicAdd(&block_hits, hits_of(state))` -> `block_hits += hits_of(state)` (race): threads
  // overwrite each other's sums.
  // MUTANT atomic-narrowed (none): only the block uses its count.
  atomicAdd(&block_hits, hits_of(state));
  states[i] = state;
  // MUTANT barrier-deleted (race): thread 0 reads the count while others add to it.
  // MUTANT barrier-guarded `threadIdx.x < 64` (barrier|race): the last warp does not reach it.
  __syncthreads();
  // MUTANT atomic-weakened `atomicAdd(hits, block_hits)` -> `*hits += block_hits` (race): blocks overwrite each other's
  // sums.
  // MUTANT guard-dropped (none): all threads add the block's count; the sum is too great, and the order is right.
  if (threadIdx.x == 0) atomicAdd(hits, block_hits);
}

int main() {
  std::vector<unsigned> states(kStates);
  for (int i = 0; i < kStates; ++i) states[i] = i * 7919u + 1;
  unsigned *d_states = nullptr, *d_hits = nullptr, hits = 0, expected = 0;
  cudaMalloc(&d_states, kStates * sizeof(unsigned));
  cudaMalloc(&d_hits, sizeof(unsigned));
  // MUTANT copy-shortened (uninitialised): half of the states have no value.
  cudaMemcpy(d_states, states.data(), kStates * sizeof(unsigned), cudaMemcpyHostToDevice);
  cudaMemset(d_hits, 0, sizeof(unsigned));
  simulate<<<kBlocks, kThreads>>>(d_states, d_hits);
  const cudaError_t error = cudaMemcpy(&hits, d_hits, sizeof(unsigned), cudaMemcpyDeviceToHost);
  cudaFree(d_states);
  cudaFree(d_hits);
  if (error != cudaSuccess) return 2;
  for (unsigned state : states) expected += hits_of(state);
  return hits == expected ? 0 : 1;
}
