// A histogram by atomics on global memory. Right, because only atomics change the bins, and the copy back waits for the
// kernel.
#include <cuda_runtime.h>

#include <vector>

constexpr int kCount = 1500, kBins = 64;

__global__ void histogram(const int* in, unsigned* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    // MUTANT off-by-one `in[i]` -> `in[i + 1]` (bounds): the last thread reads in[1500].
    const int bin = in[i];
    // MUTANT guard-dropped (bounds): a value of the input is -1, and so becomes an index.
    if (bin >= 0) {
      // MUTANT atomic-weakened (race): threads read and write the same bin.
      // MUTANT atomic-narrowed (race): the bins are shared by the blocks of the grid.
      atomicAdd(&bins[bin], 1u);
    }
  }
}

int main() {
  std::vector<int> in(kCount);
  std::vector<unsigned> bins(kBins), expected(kBins);
  for (int i = 0; i < kCount; ++i) in[i] = i == 77 ? -1 : i * i % kBins;
  for (const int value : in) {
    if (value >= 0) ++expected[value];
  }
  int* d_in = nullptr;
  unsigned* d_bins = nullptr;
  cudaMalloc(&d_in, kCount * sizeof(int));
  cudaMalloc(&d_bins, kBins * sizeof(unsigned));
  cudaMemcpy(d_in, in.data(), kCount * sizeof(int), cudaMemcpyHostToDevice);
  // MUTANT initialisation-skipped (uninitialised): the counts begin with what lay there.
  cudaMemset(d_bins, 0, kBins * sizeof(unsigned));
  histogram<<<(kCount + 127) / 128, 128>>>(d_in, d_bins, kCount);
  const cudaError_t error = cudaMemcpy(bins.data(), d_bins, kBins * sizeof(unsigned), cudaMemcpyDeviceToHost);
  cudaFree(d_in);
  cudaFree(d_bins);
  if (error != cudaSuccess) return 2;
  return bins == expected ? 0 : 1;
}
