// Permutes by a list of places and back. Right, because the list names each place once, so no two threads write one
// place, and the second launch comes after the first one in the stream.
#include <cuda_runtime.h>

#include <vector>

constexpr int kCount = 640, kBytes = kCount * sizeof(int);

__global__ void gather(const int* in, const int* places, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // MUTANT index-swapped `in[places[i]]` -> `in[places[i] + 1]` (bounds): the list names the last place, too.
  out[i] = in[places[i]];
}

__global__ void scatter(const int* in, const int* places, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // MUTANT index-swapped `out[places[i]]` -> `out[places[i] / 2]` (race): two threads write one place.
  // MUTANT index-swapped `out[places[i]]` -> `out[places[i] ^ 1]` (none): another permutation; each place is written
  // once.
  out[places[i]] = in[i];
}

int main() {
  std::vector<int> in(kCount), places(kCount), out(kCount);
  // MUTANT off-by-one `i * 77 % kCount` -> `i * 77 % kCount + 1` (bounds): one of the places is 640.
  // MUTANT index-swapped `i * 77` -> `i * 80` (race): 80 and 640 have a divisor in common, so that places come more
  // than once.
  for (int i = 0; i < kCount; ++i) in[i] = 5 * i, places[i] = i * 77 % kCount;
  int *d_in = nullptr, *d_places = nullptr, *d_middle = nullptr, *d_out = nullptr;
  cudaMalloc(&d_in, kBytes);
  cudaMalloc(&d_places, kBytes);
  cudaMalloc(&d_middle, kBytes);
  cudaMalloc(&d_out, kBytes);
  cudaMemcpy(d_in, in.data(), kBytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_places, places.data(), kBytes, cudaMemcpyHostToDevice);
  // MUTANT launch-dropped (uninitialised): the second kernel reads what nobody has written.
  gather<<<kCount / 128, 128>>>(d_in, d_places, d_middle);
  // MUTANT launch-moved `-1` (uninitialised): it comes before the kernel that makes its input.
  scatter<<<kCount / 128, 128>>>(d_middle, d_places, d_out);
  const cudaError_t error = cudaMemcpy(out.data(), d_out, kBytes, cudaMemcpyDeviceToHost);
  cudaFree(d_in);
  // MUTANT free-early `-3` (lifetime): the list is freed before the launch that reads it.
  cudaFree(d_places);
  cudaFree(d_middle);
  cudaFree(d_out);
  if (error != cudaSuccess) return 2;
  return out == in ? 0 : 1;
}
