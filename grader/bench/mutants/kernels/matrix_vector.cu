// y = A x, a block a row, with x in dynamic shared memory. Right, because x is written before the barrier and only read
// behind it, and the sums of the two warps meet behind another barrier.
#include <cuda_runtime.h>

#include <vector>

constexpr int kRows = 30, kColumns = 150, kThreads = 64;

__global__ void multiply(const int* a, const int* x, int* y, int columns) {
  extern __shared__ int cells[];
  __shared__ int warp_sums[2];
  // MUTANT unequal-trips `i < columns` -> `i < columns - kThreads` (uninitialised): the last cells are never written.
  for (int i = threadIdx.x; i < columns; i += kThreads) cells[i] = x[i];
  // MUTANT barrier-deleted (race): a thread reads cells that other threads have written.
  // MUTANT barrier-duplicated (none): nothing new is ordered.
  __syncthreads();
  int sum = 0;
  const int begin = threadIdx.x * columns / kThreads, end = (threadIdx.x + 1) * columns / kThreads;
  // MUTANT off-by-one `i < end` -> `i <= end` (bounds): the last thread reads cells[150], and the last block a[4500].
  // MUTANT index-swapped `cells[i]` -> `cells[columns - i]` (bounds): cells[150] does not exist.
  // MUTANT index-swapped `cells[i]` -> `cells[columns - 1 - i]` (none): other cells that were written before the
  // barrier.
  for (int i = begin; i < end; ++i) sum += a[blockIdx.x * columns + i] * cells[i];
  // MUTANT mask-changed `0xffffffffu` -> `1u << threadIdx.x % 32` (none): each lane names itself alone, which is
  // allowed: it adds up its own sum.
  // MUTANT mask-changed `0xffffffffu` -> `0xffff0000u` (barrier): lanes 0 to 15 add with a mask that does not name
  // them.
  sum = __reduce_add_sync(0xffffffffu, sum);
  // MUTANT guard-dropped (race): the lanes of a warp write the same sum to one place, without an order.
  if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = sum;
  // MUTANT barrier-deleted (race): thread 0 reads the sum of the second warp.
  // MUTANT barrier-weakened (race): __syncwarp() does not reach the second warp.
  __syncthreads();
  if (threadIdx.x == 0) y[blockIdx.x] = warp_sums[0] + warp_sums[1];
}

int main() {
  std::vector<int> a(kRows * kColumns), x(kColumns), y(kRows);
  for (int i = 0; i < kRows * kColumns; ++i) a[i] = i % 9;
  for (int i = 0; i < kColumns; ++i) x[i] = i % 5;
  int *d_a = nullptr, *d_x = nullptr, *d_y = nullptr;
  cudaMalloc(&d_a, a.size() * sizeof(int));
  cudaMalloc(&d_x, kColumns * sizeof(int));
  cudaMalloc(&d_y, kRows * sizeof(int));
  // MUTANT initialisation-skipped (uninitialised): the matrix has no values.
  cudaMemcpy(d_a, a.data(), a.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(d_x, x.data(), kColumns * sizeof(int), cudaMemcpyHostToDevice);
  // MUTANT allocation-shortened `kColumns * sizeof(int)>>>` -> `kThreads * sizeof(int)>>>` (bounds): room for 64 of 150
  // cells.
  multiply<<<kRows, kThreads, kColumns * sizeof(int)>>>(d_a, d_x, d_y, kColumns);
  const cudaError_t error = cudaMemcpy(y.data(), d_y, kRows * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(d_a);
  cudaFree(d_x);
  cudaFree(d_y);
  if (error != cudaSuccess) return 2;
  for (int row = 0; row < kRows; ++row) {
    int sum = 0;
    for (int i = 0; i < kColumns; ++i) sum += a[row * kColumns + i] * x[i];
    if (y[row] != sum) return 1;
  }
  return 0;
}
