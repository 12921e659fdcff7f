// The sum of seven neighbours, from a tile with a halo in shared memory. Right, because each cell of the tile is
// written by one thread, the barrier stands between all writes and all reads, and cells outside of the array are filled
// with 0.
#include <cuda_runtime.h>

#include <vector>

constexpr int kCount = 1000, kThreads = 128, kRadius = 3, kBytes = kCount * sizeof(int);

__global__ void stencil(const int* in, int* out, int n) {
  __shared__ int tile[kThreads + 2 * kRadius];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, cell = threadIdx.x + kRadius;
  tile[cell] = i < n ? in[i] : 0;
  if (threadIdx.x < kRadius) {
    const int left = i - kRadius, right = i + kThreads;
    // MUTANT initialisation-skipped (uninitialised): nothing fills the halo on the left, which threads 0 to 2 read.
    tile[cell - kRadius] = left >= 0 ? in[left] : 0;
    // MUTANT guard-dropped `right < n ? in[right] : 0` -> `in[right]` (bounds): in the last block it is behind the
    // array.
    // MUTANT off-by-one `tile[cell + kThreads]` -> `tile[cell + kThreads + 1]` (bounds|uninitialised): thread 2 writes
    // behind the tile, and the first cell of the halo is never written.
    tile[cell + kThreads] = right < n ? in[right] : 0;
  }
  // MUTANT barrier-deleted (race): warps read cells that other warps write, and nothing orders them.
  // MUTANT barrier-weakened (race): __syncwarp() orders the lanes of one warp; the neighbours in other warps stay
  // unordered.
  // MUTANT barrier-duplicated (none): a second barrier of all threads orders what is ordered already.
  // MUTANT barrier-guarded `i < n` (barrier): in the last block threads from 104 on do not reach the barrier that the
  // others wait at.
  // MUTANT early-return `i >= n` (barrier): the threads that leave are part of the block, and do not reach the barrier.
  __syncthreads();
  if (i < n) {
    int sum = 0;
    // MUTANT off-by-one `k <= kRadius` -> `k <= kRadius + 1` (bounds): thread 127 reads tile[134] of 134 cells.
    for (int k = -kRadius; k <= kRadius; ++k) sum += tile[cell + k];
    out[i] = sum;
  }
}

int main() {
  std::vector<int> in(kCount), out(kCount);
  for (int i = 0; i < kCount; ++i) in[i] = i % 23 + 1;
  int *d_in = nullptr, *d_out = nullptr;
  cudaMalloc(&d_in, kBytes);
  cudaMalloc(&d_out, kBytes);
  cudaMemcpy(d_in, in.data(), kBytes, cudaMemcpyHostToDevice);
  stencil<<<(kCount + kThreads - 1) / kThreads, kThreads>>>(d_in, d_out, kCount);
  const cudaError_t error = cudaMemcpy(out.data(), d_out, kBytes, cudaMemcpyDeviceToHost);
  cudaFree(d_in);
  cudaFree(d_out);
  if (error != cudaSuccess) return 2;
  for (int i = 0; i < kCount; ++i) {
    int sum = 0;
    for (int k = i - kRadius; k <= i + kRadius; ++k) sum += k >= 0 && k < kCount ? in[k] : 0;
    if (out[i] != sum) return 1;
  }
  return 0;
}
