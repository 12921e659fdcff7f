// A sum by shuffles: each warp by itself, then the sums of the warps in the first warp. Right, because all 32 lanes
// take part in each shuffle that names them, and the barrier stands between the sums of the warps and their reads.
#include <cuda_runtime.h>

#include <vector>

constexpr int kCount = 5000, kThreads = 256, kWarps = kThreads / 32;

__device__ int sum_of_warp(int value) {
  // MUTANT mask-changed `0xffffffffu` -> `0x0000ffffu` (barrier): lanes 16 to 31 shuffle with a mask that does not name
  // them.
  // MUTANT unequal-trips `distance = 16` -> `distance = 16 - threadIdx.x / 8 % 2 * 8` (barrier): half of the lanes make
  // a turn less, but are named by the mask of the others.
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffffu, value, distance);
  return value;
}

__global__ void sum(const int* in, int* out, int n) {
  __shared__ int sums[kWarps];
  int value = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) value += in[i];
  value = sum_of_warp(value);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  // MUTANT guard-dropped (race): the lanes of a warp write different sums to one place.
  // MUTANT off-by-one `sums[warp]` -> `sums[warp + 1]` (bounds|uninitialised): the last warp writes behind the array,
  // sums[0] is never written.
  if (lane == 0) sums[warp] = value;
  // MUTANT barrier-deleted (race): the first warp reads sums that others write.
  // MUTANT barrier-weakened (race): __syncwarp() orders one warp only.
  // MUTANT barrier-guarded `lane == 0` (barrier): only one lane of each warp reaches it.
  // MUTANT barrier-duplicated (none): nothing new is ordered.
  // MUTANT early-return `warp > 0` (barrier): the other warps leave before the barrier that they take part in.
  __syncthreads();
  if (warp == 0) {
    // MUTANT guard-dropped `lane < kWarps ? sums[lane] : 0` -> `sums[lane]` (bounds): there are 8 sums for 32 lanes.
    value = sum_of_warp(lane < kWarps ? sums[lane] : 0);
    if (lane == 0) *out = value;
  }
}

int main() {
  std::vector<int> in(kCount);
  int expected = 0, result = 0;
  for (int i = 0; i < kCount; ++i) expected += in[i] = i % 13;
  int *d_in = nullptr, *d_out = nullptr;
  cudaMalloc(&d_in, kCount * sizeof(int));
  cudaMalloc(&d_out, sizeof(int));
  cudaMemcpy(d_in, in.data(), kCount * sizeof(int), cudaMemcpyHostToDevice);
  sum<<<1, kThreads>>>(d_in, d_out, kCount);
  const cudaError_t error = cudaMemcpy(&result, d_out, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(d_in);
  cudaFree(d_out);
  if (error != cudaSuccess) return 2;
  return result == expected ? 0 : 1;
}
