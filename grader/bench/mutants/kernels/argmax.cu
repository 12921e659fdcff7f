// Where the greatest value stands: a tree over pairs of value and index. Right, because each step reads pairs from
// before the barrier and writes its own, and of equal values the one with the smaller index wins, whatever the order.
#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

constexpr int kCount = 777, kThreads = 128;

__global__ void argmax(const int* in, int* where, int n) {
  __shared__ int values[kThreads], places[kThreads];
  const int t = threadIdx.x;
  // MUTANT off-by-one `best = t` -> `best = t + kThreads * 7` (bounds): threads begin at places from 896 on.
  int best = t;
  // MUTANT unequal-trips `i < n` -> `i < n + t` (bounds): later threads go on behind the last value.
  for (int i = t; i < n; i += kThreads) {
    if (in[i] > in[best]) best = i;
  }
  values[t] = in[best];
  // MUTANT initialisation-skipped (uninitialised): the places have no values.
  places[t] = best;
  // MUTANT barrier-deleted (race): the first step reads pairs of the other warps.
  // MUTANT barrier-moved `-1` (race): the places are then written behind the barrier.
  // MUTANT barrier-moved `-2` (race): the same for both arrays.
  __syncthreads();
  for (int width = kThreads / 2; width > 0; width /= 2) {
    if (t < width) {
      const int value = values[t + width], place = places[t + width];
      if (value > values[t] || (value == values[t] && place < places[t])) values[t] = value, places[t] = place;
    }
    // MUTANT barrier-deleted (race): the next step reads pairs of this one.
    // MUTANT barrier-guarded `width != 1` (none): behind the last step thread 0 reads what it wrote itself.
    // MUTANT barrier-guarded `t < width` (barrier|race): fewer threads reach it in each step.
    __syncthreads();
  }
  if (t == 0) *where = places[0];
}

int main() {
  std::vector<int> in(kCount);
  for (int i = 0; i < kCount; ++i) in[i] = i * 197 % 577;
  int *d_in = nullptr, *d_where = nullptr, where = -1;
  cudaMalloc(&d_in, kCount * sizeof(int));
  cudaMalloc(&d_where, sizeof(int));
  cudaMemcpy(d_in, in.data(), kCount * sizeof(int), cudaMemcpyHostToDevice);
  argmax<<<1, kThreads>>>(d_in, d_where, kCount);
  const cudaError_t error = cudaMemcpy(&where, d_where, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(d_in);
  cudaFree(d_where);
  if (error != cudaSuccess) return 2;
  return where == std::max_element(in.begin(), in.end()) - in.begin() ? 0 : 1;
}
