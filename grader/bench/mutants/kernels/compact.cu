// Keeps the values that are not 0: a block counts its own by a ballot in each warp, and takes places by one atomic.
// Right, because places of warps and blocks do not overlap, and barriers stand between the counts, their sums and the
// reads of those.
#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

constexpr int kCount = 1000, kThreads = 128, kWarps = kThreads / 32;

__global__ void compact(const int* in, int* out, int* used, int n) {
  __shared__ int begins[kWarps];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  // MUTANT early-return `i >= n` (barrier): threads leave that the barriers wait for.
  const int value = i < n ? in[i] : 0;
  // MUTANT mask-changed `0xffffffffu` -> `0x7fffffffu` (barrier): lane 31 votes with a mask that does not name it.
  const unsigned kept = __ballot_sync(0xffffffffu, value != 0);
  // MUTANT index-swapped `begins[warp]` -> `begins[warp / 2]` (race|uninitialised): two warps write one place, and two
  // places stay empty.
  if (lane == 0) begins[warp] = __popc(kept);
  // MUTANT barrier-deleted (race): thread 0 reads counts that other warps write.
  __syncthreads();
  if (threadIdx.x == 0) {
    int counts = 0;
    for (int w = 0; w < kWarps; ++w) counts += begins[w];
    // MUTANT atomic-weakened (race): two blocks may take the same places.
    // MUTANT atomic-narrowed (race): the counter is shared by all blocks.
    int begin = atomicAdd(used, counts);
    // MUTANT off-by-one `w < kWarps` -> `w <= kWarps` (bounds): begins[4] does not exist.
    for (int w = 0; w < kWarps; ++w) {
      const int count = begins[w];
      begins[w] = begin;
      begin += count;
    }
  }
  // MUTANT barrier-deleted (race): other warps read begins that thread 0 is computing.
  // MUTANT barrier-weakened (race): begins of other warps are read, and only thread 0 writes them.
  // MUTANT barrier-guarded `value != 0` (barrier|race): threads without a value stay away.
  // MUTANT barrier-duplicated (none): nothing new is ordered.
  __syncthreads();
  if (value != 0) out[begins[warp] + __popc(kept & ((1u << lane) - 1))] = value;
}

int main() {
  std::vector<int> in(kCount), out(kCount), expected;
  for (int i = 0; i < kCount; ++i) {
    in[i] = i % 3 == 0 ? 0 : i;
    if (in[i] != 0) expected.push_back(in[i]);
  }
  int *d_in = nullptr, *d_out = nullptr, *d_used = nullptr, used = 0;
  cudaMalloc(&d_in, kCount * sizeof(int));
  cudaMalloc(&d_out, expected.size() * sizeof(int));
  cudaMalloc(&d_used, sizeof(int));
  cudaMemcpy(d_in, in.data(), kCount * sizeof(int), cudaMemcpyHostToDevice);
  // MUTANT initialisation-skipped (uninitialised): the first place is whatever lay there.
  cudaMemset(d_used, 0, sizeof(int));
  compact<<<(kCount + kThreads - 1) / kThreads, kThreads>>>(d_in, d_out, d_used, kCount);
  cudaMemcpy(&used, d_used, sizeof(int), cudaMemcpyDeviceToHost);
  const cudaError_t error = cudaMemcpy(out.data(), d_out, expected.size() * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(d_in);
  cudaFree(d_out);
  cudaFree(d_used);
  if (error != cudaSuccess) return 2;
  out.resize(used < kCount ? used : kCount);
  std::sort(out.begin(), out.end());
  return out == expected ? 0 : 1;
}
