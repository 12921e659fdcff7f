// A histogram: atomics on a block's own bins, which are then added to those of all. Right, because all that many
// threads change is changed by atomics, and barriers stand between the bins' zeros, their counts and their sums.
#include <cuda_runtime.h>

#include <vector>

constexpr int kCount = 2000, kBins = 32, kThreads = 128, kBlocks = 4;

__global__ void histogram(const unsigned char* in, int* bins, int n) {
  __shared__ int local[kBins];
  // MUTANT initialisation-skipped (uninitialised): the counts begin with what lay there.
  if (threadIdx.x < kBins) local[threadIdx.x] = 0;
  // MUTANT barrier-deleted (race): a bin may be set to 0 after others have counted.
  // MUTANT barrier-guarded `threadIdx.x < kBins` (barrier|race): only the first warp reaches it.
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    // MUTANT atomic-weakened (race): threads read and write the same bin.
    // MUTANT atomic-narrowed (none): the bins belong to the block, so its scope is enough.
    // MUTANT off-by-one `in[i] % kBins` -> `in[i] % kBins + 1` (bounds): values of 31 go behind the last bin.
    atomicAdd(&local[in[i] % kBins], 1);
  }
  // MUTANT barrier-deleted (race): a bin is read while others still count.
  // MUTANT barrier-weakened (race): four warps count, and one reads.
  // MUTANT barrier-duplicated (none): nothing new is ordered.
  __syncthreads();
  // MUTANT guard-dropped (bounds): there are 32 bins for 128 threads.
  // MUTANT atomic-weakened `atomicAdd(&bins[threadIdx.x], local[threadIdx.x])` -> `bins[threadIdx.x] +=
  // local[threadIdx.x]` (race): all blocks change the same bins.
  // MUTANT atomic-narrowed (race): block scope does not reach the other blocks.
  if (threadIdx.x < kBins) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

int main() {
  std::vector<unsigned char> in(kCount);
  std::vector<int> bins(kBins), expected(kBins);
  for (int i = 0; i < kCount; ++i) in[i] = i * i % 251;
  for (const unsigned char value : in) ++expected[value % kBins];
  unsigned char* d_in = nullptr;
  int* d_bins = nullptr;
  cudaMalloc(&d_in, kCount);
  cudaMalloc(&d_bins, kBins * sizeof(int));
  cudaMemcpy(d_in, in.data(), kCount, cudaMemcpyHostToDevice);
  // MUTANT initialisation-skipped (uninitialised): the sums begin with what lay there.
  cudaMemset(d_bins, 0, kBins * sizeof(int));
  histogram<<<kBlocks, kThreads>>>(d_in, d_bins, kCount);
  const cudaError_t error = cudaMemcpy(bins.data(), d_bins, kBins * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(d_in);
  cudaFree(d_bins);
  if (error != cudaSuccess) return 2;
  return bins == expected ? 0 : 1;
}
