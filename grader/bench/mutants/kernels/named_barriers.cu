// A warp makes values and three warps use them, with two named barriers: `full` and `empty`. Right, because the maker
// arrives at `full` behind its writes, where the users wait, and waits at `empty` before it writes again, where the
// users arrive behind their reads; all count 128.
#include <cuda_runtime.h>

#include <vector>

constexpr int kTurns = 5, kThreads = 128, kUsers = 96;

__device__ void arrive(int barrier) {
  asm volatile("bar.arrive %0, 128;" ::"r"(barrier) : "memory");
}

__device__ void wait(int barrier) {
  asm volatile("bar.sync %0, 128;" ::"r"(barrier) : "memory");
}

__global__ void pass_on(const int* in, int* out) {
  __shared__ int cells[32];
  constexpr int kFull = 1, kEmpty = 2;
  const int t = threadIdx.x;
  if (t < 32) {
    for (int turn = 0; turn < kTurns; ++turn) {
      // MUTANT order-dropped (race|barrier): the maker overwrites cells that are still read, and `empty` never gets 128
      // threads.
      if (turn > 0) wait(kEmpty);
      // MUTANT index-swapped `cells[t]` -> `cells[t + 1]` (bounds|uninitialised): cells[32] does not exist, cells[0]
      // has no value.
      // MUTANT index-swapped `in[turn * 32 + t]` -> `in[turn * 32 + 31 - t]` (none): another value of the same turn.
      cells[t] = in[turn * 32 + t];
      // MUTANT order-moved `-1` (race): the users go on before the cells are written.
      arrive(kFull);
    }
  } else {
    const int user = t - 32;
    for (int turn = 0; turn < kTurns; ++turn) {
      wait(kFull);
      out[turn * kUsers + user] = cells[user % 32] + user / 32;
      // MUTANT order-moved `-1` (race): the users say that they have read before they do.
      if (turn + 1 < kTurns) arrive(kEmpty);
    }
  }
}

int main() {
  std::vector<int> in(kTurns * 32), out(kTurns * kUsers);
  for (int i = 0; i < kTurns * 32; ++i) in[i] = i * 3 % 50;
  int *d_in = nullptr, *d_out = nullptr;
  cudaMalloc(&d_in, in.size() * sizeof(int));
  cudaMalloc(&d_out, out.size() * sizeof(int));
  cudaMemcpy(d_in, in.data(), in.size() * sizeof(int), cudaMemcpyHostToDevice);
  pass_on<<<1, kThreads>>>(d_in, d_out);
  const cudaError_t error = cudaMemcpy(out.data(), d_out, out.size() * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(d_in);
  cudaFree(d_out);
  if (error != cudaSuccess) return 2;
  for (int turn = 0; turn < kTurns; ++turn) {
    for (int user = 0; user < kUsers; ++user) {
      if (out[turn * kUsers + user] != in[turn * 32 + user % 32] + user / 32) return 1;
    }
  }
  return 0;
}
