// An inclusive scan by Hillis and Steele, in two arrays that change places. Right, because a step reads one array and
// writes the other, and one barrier a step stands between these writes and the reads of the next step.
#include <cuda_runtime.h>

#include <vector>

constexpr int kCount = 256;

__global__ void scan(const int* in, int* out) {
  __shared__ int sums[2][kCount];
  const int t = threadIdx.x;
  int from = 0;
  sums[from][t] = in[t];
  // MUTANT barrier-deleted (race): the first step reads the cell of the thread beside, which may be in another warp.
  __syncthreads();
  for (int distance = 1; distance < kCount; distance *= 2) {
    // MUTANT guard-dropped `t >= distance ? sums[from][t - distance] : 0` -> `sums[from][t - distance]` (bounds):
    // thread 0 reads cell -1 of the first array.
    const int before = t >= distance ? sums[from][t - distance] : 0;
    // MUTANT index-swapped `sums[1 - from][t]` -> `sums[from][t]` (race|uninitialised): then others read the cell in
    // this step, and nothing fills the second array.
    sums[1 - from][t] = sums[from][t] + before;
    from = 1 - from;
    // MUTANT barrier-deleted (race): the next step reads sums of other warps.
    // MUTANT barrier-weakened (race): the distances go beyond a warp.
    // MUTANT barrier-guarded `t >= distance` (barrier): the first threads do not reach it.
    // MUTANT barrier-duplicated (none): all threads reach both.
    __syncthreads();
  }
  // MUTANT index-swapped `sums[from][t]` -> `sums[from][kCount - 1 - t]` (none): the cells of others were written
  // before the last barrier: a wrong result in right order.
  out[t] = sums[from][t];
}

int main() {
  std::vector<int> in(kCount), out(kCount);
  for (int i = 0; i < kCount; ++i) in[i] = i % 9;
  int *d_in = nullptr, *d_out = nullptr;
  cudaMalloc(&d_in, kCount * sizeof(int));
  cudaMalloc(&d_out, kCount * sizeof(int));
  // MUTANT copy-shortened (uninitialised): the second half of the input is never written.
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
