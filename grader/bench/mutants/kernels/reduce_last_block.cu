// A sum in one launch: the block that finishes last adds up the sums of all. Right, because each block's sum is
// followed by a fence and an atomic count, and the block that sees the full count has a fence before it reads the sums.
#include <cuda_runtime.h>

#include <vector>

constexpr int kCount = 4000, kThreads = 128, kBlocks = 8;

__global__ void sum(const int* in, int* sums, unsigned* finished, int* out, int n) {
  __shared__ int partial[kThreads];
  __shared__ bool is_last;
  int value = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) value += in[i];
  partial[threadIdx.x] = value;
  // MUTANT barrier-deleted (race): thread 0 reads cells that other warps write.
  __syncthreads();
  if (threadIdx.x == 0) {
    int total = 0;
    for (int i = 0; i < kThreads; ++i) total += partial[i];
    sums[blockIdx.x] = total;
    // MUTANT fence-dropped (race): the count may be seen before the sum is.
    // MUTANT fence-weakened (race): a fence of the block orders nothing for other blocks.
    // MUTANT fence-strengthened (none): orders more than is needed.
    // MUTANT fence-duplicated (none): a second fence changes no order.
    __threadfence();
    // MUTANT atomic-narrowed (race): an atomic of block scope is none for the other blocks.
    // MUTANT atomic-weakened `atomicAdd(finished, 1u)` -> `(*finished)++` (race): two blocks may read the same count.
    const unsigned before = atomicAdd(finished, 1u);
    is_last = before == gridDim.x - 1;
    // MUTANT fence-dropped (race): without it the reads below may come before the count: the barrier orders the block,
    // and the sums come from other blocks. The example of the programming guide has no fence here.
    __threadfence();
  }
  // MUTANT barrier-deleted (race): is_last is read by warps that thread 0 has not written it for yet.
  // MUTANT barrier-guarded `threadIdx.x % 32 == 0` (barrier|race): the other lanes do not reach it.
  __syncthreads();
  // MUTANT guard-dropped (race|uninitialised): every block reads sums that others write, or have not written yet.
  if (!is_last) return;
  // MUTANT off-by-one `threadIdx.x < gridDim.x` -> `threadIdx.x <= gridDim.x` (bounds): there is no sums[8].
  // MUTANT atomic-weakened `atomicAdd(out, sums[threadIdx.x])` -> `*out += sums[threadIdx.x]` (race): eight threads
  // read and write one place.
  if (threadIdx.x < gridDim.x) atomicAdd(out, sums[threadIdx.x]);
}

int main() {
  std::vector<int> in(kCount);
  int expected = 0, result = 0;
  for (int i = 0; i < kCount; ++i) expected += in[i] = i % 13;
  int *d_in = nullptr, *d_sums = nullptr, *d_out = nullptr;
  unsigned* d_finished = nullptr;
  cudaMalloc(&d_in, kCount * sizeof(int));
  cudaMalloc(&d_sums, kBlocks * sizeof(int));
  cudaMalloc(&d_out, sizeof(int));
  cudaMalloc(&d_finished, sizeof(unsigned));
  cudaMemcpy(d_in, in.data(), kCount * sizeof(int), cudaMemcpyHostToDevice);
  // MUTANT initialisation-skipped (uninitialised): the count begins with what lay there.
  cudaMemset(d_finished, 0, sizeof(unsigned));
  cudaMemset(d_out, 0, sizeof(int));
  sum<<<kBlocks, kThreads>>>(d_in, d_sums, d_finished, d_out, kCount);
  const cudaError_t error = cudaMemcpy(&result, d_out, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(d_in);
  cudaFree(d_sums);
  cudaFree(d_out);
  cudaFree(d_finished);
  if (error != cudaSuccess) return 2;
  return result == expected ? 0 : 1;
}
