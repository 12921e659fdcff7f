// An inclusive scan of a block by shuffles: in each warp, then over the sums of the warps. Right, because all lanes
// take part in all shuffles, and two barriers stand between the sums of the warps, their scan in the first warp, and
// the reads of that.
#include <cuda_runtime.h>

#include <vector>

constexpr int kCount = 1024, kWarps = kCount / 32;

__device__ int scan_of_warp(int value, int lane) {
  for (int distance = 1; distance < 32; distance *= 2) {
    // MUTANT mask-changed `0xffffffffu` -> `0xfffffffeu` (barrier): lane 0 shuffles with a mask that does not name it.
    const int before = __shfl_up_sync(0xffffffffu, value, distance);
    if (lane >= distance) value += before;
  }
  return value;
}

__global__ void scan(const int* in, int* out) {
  __shared__ int sums[kWarps];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int value = scan_of_warp(in[threadIdx.x], lane);
  // MUTANT index-swapped `lane == 31` -> `lane >= 30` (race): two lanes write different values to one place.
  if (lane == 31) sums[warp] = value;
  // MUTANT barrier-deleted (race): the first warp reads sums that others are writing.
  // MUTANT barrier-moved `1` (race|barrier): inside of the branch only the first warp reaches it.
  __syncthreads();
  if (warp == 0) {
    sums[lane] = scan_of_warp(sums[lane], lane);
  }
  // MUTANT barrier-deleted (race): the other warps read sums that the first one is writing.
  // MUTANT barrier-duplicated (none): nothing new is ordered.
  // MUTANT barrier-guarded `in != nullptr` (none): the same for all threads, and true.
  __syncthreads();
  // MUTANT guard-dropped (bounds): warp 0 reads sums[-1].
  if (warp > 0) value += sums[warp - 1];
  out[threadIdx.x] = value;
}

int main() {
  std::vector<int> in(kCount), out(kCount);
  for (int i = 0; i < kCount; ++i) in[i] = i % 9;
  int *d_in = nullptr, *d_out = nullptr;
  cudaMalloc(&d_in, kCount * sizeof(int));
  cudaMalloc(&d_out, kCount * sizeof(int));
  cudaMemcpy(d_in, in.data(), kCount * sizeof(int), cudaMemcpyHostToDevice);
  scan<<<1, kCount>>>(d_in, d_out);
  const cudaError_t error = cudaMemcpy(out.data(), d_out, kCount * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(d_in);
  cudaFree(d_out);
  if (error != cudaSuccess) return 2;
  for (int i = 0, sum = 0; i < kCount; ++i) {
    if (out[i] != (sum += in[i])) return 1;
  }
  return 0;
}
