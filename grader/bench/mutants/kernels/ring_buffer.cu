// One warp makes values, the other uses them, through a ring in shared memory that a barrier guards: each turn fills
// one half and uses the other. Right, because the halves change their roles behind a barrier that both warps reach the
// same number of times.
#include <cuda_runtime.h>

#include <vector>

constexpr int kTurns = 10, kSlots = 32, kThreads = 64;

__global__ void pass_on(int* out) {
  __shared__ int ring[2][kSlots];
  const bool makes = threadIdx.x < 32;
  const int lane = threadIdx.x % 32;
  // MUTANT unequal-trips `turn <= kTurns` -> `turn <= kTurns - makes` (barrier|race): the maker makes a turn less.
  for (int turn = 0; turn <= kTurns; ++turn) {
    if (makes) {
      // MUTANT index-swapped `ring[turn % 2]` -> `ring[0]` (race|uninitialised): the half that the other warp reads.
      // MUTANT off-by-one `[lane]` -> `[lane + 1]` (bounds|race|uninitialised): slot 32 belongs to the other half, or
      // to nobody.
      ring[turn % 2][lane] = turn * lane;
    } else if (turn > 0) {
      // MUTANT off-by-one `(turn - 1) % 2` -> `turn % 2` (race): the half that is being filled.
      // MUTANT index-swapped `[31 - lane]` -> `[lane]` (none): another slot of the half that is full.
      out[(turn - 1) * kSlots + lane] = ring[(turn - 1) % 2][31 - lane];
    }
    // MUTANT barrier-deleted (race): nothing orders the two warps.
    // MUTANT barrier-weakened (race): __syncwarp() orders the lanes of each warp only.
    // MUTANT barrier-guarded `makes` (barrier|race): the warp that uses the values stays away.
    // MUTANT barrier-guarded `turn < kTurns` (none): behind the last turn nothing is left to order.
    // MUTANT barrier-duplicated (none): both warps reach both.
    __syncthreads();
  }
}

int main() {
  std::vector<int> out(kTurns * kSlots);
  int* d_out = nullptr;
  cudaMalloc(&d_out, out.size() * sizeof(int));
  pass_on<<<1, kThreads>>>(d_out);
  const cudaError_t error = cudaMemcpy(out.data(), d_out, out.size() * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(d_out);
  if (error != cudaSuccess) return 2;
  for (int i = 0; i < kTurns * kSlots; ++i) {
    if (out[i] != i / kSlots * (31 - i % kSlots)) return 1;
  }
  return 0;
}
