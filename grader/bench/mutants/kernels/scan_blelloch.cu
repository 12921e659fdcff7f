// An exclusive scan by Blelloch: sums up a tree, then down again, in place. Right, because in each step the cells of a
// pair belong to one thread, and each step begins with a barrier that all threads reach.
#include <cuda_runtime.h>

#include <vector>

constexpr int kCount = 256, kThreads = kCount / 2;

__global__ void scan(const int* in, int* out) {
  __shared__ int cells[kCount];
  const int t = threadIdx.x;
  cells[2 * t] = in[2 * t];
  // MUTANT initialisation-skipped (uninitialised): the odd cells are added up, and nobody has written them.
  cells[2 * t + 1] = in[2 * t + 1];
  int width = 1;
  for (int pairs = kThreads; pairs > 0; pairs /= 2, width *= 2) {
    // MUTANT barrier-deleted (race): the step reads sums that other threads wrote in the one before.
    // MUTANT barrier-guarded `t < pairs` (barrier): fewer threads reach it in each step.
    // MUTANT barrier-weakened (race): a pair was added up by other warps.
    __syncthreads();
    // MUTANT guard-dropped (bounds|race): threads from `pairs` on have no pair inside of the array.
    if (t < pairs) cells[width * (2 * t + 2) - 1] += cells[width * (2 * t + 1) - 1];
  }
  // MUTANT barrier-duplicated (none): the second one orders nothing new.
  __syncthreads();
  // MUTANT index-swapped `kCount - 1` -> `kCount` (bounds): one behind the last cell.
  if (t == 0) cells[kCount - 1] = 0;
  for (int pairs = 1; pairs <= kThreads; pairs *= 2) {
    width /= 2;
    // MUTANT barrier-deleted (race): the step down reads sums of the step before.
    __syncthreads();
    if (t < pairs) {
      const int left = width * (2 * t + 1) - 1, right = width * (2 * t + 2) - 1, sum = cells[left];
      cells[left] = cells[right];
      cells[right] += sum;
    }
  }
  // MUTANT barrier-moved `1` (none): each thread copies cells that it wrote itself in the last step.
  __syncthreads();
  out[2 * t] = cells[2 * t];
  out[2 * t + 1] = cells[2 * t + 1];
}

int main() {
  std::vector<int> in(kCount), out(kCount);
  for (int i = 0; i < kCount; ++i) in[i] = i % 9;
  int *d_in = nullptr, *d_out = nullptr;
  cudaMalloc(&d_in, kCount * sizeof(int));
  cudaMalloc(&d_out, kCount * sizeof(int));
  cudaMemcpy(d_in, in.data(), kCount * sizeof(int), cudaMemcpyHostToDevice);
  scan<<<1, kThreads>>>(d_in, d_out);
  const cudaError_t error = cudaMemcpy(out.data(), d_out, kCount * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(d_in);
  cudaFree(d_out);
  if (error != cudaSuccess) return 2;
  for (int i = 0, sum = 0; i < kCount; sum += in[i++]) {
    if (out[i] != sum) return 1;
  }
  return 0;
}
