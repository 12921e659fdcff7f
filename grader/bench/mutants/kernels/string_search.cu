// Where a pattern occurs first in a text: a thread for each place. Right, because no thread reads behind the text, and
// the smallest place is found by an atomic.
#include <cuda_runtime.h>

#include <string>

constexpr int kPattern = 4;

__global__ void search(const char* text, int length, const char* pattern, int* first) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // MUTANT off-by-one `i > length - kPattern` -> `i > length` (bounds): at the end of the text the pattern does not fit
  // any more.
  // MUTANT guard-dropped (bounds): threads begin behind the text.
  if (i > length - kPattern) return;
  bool same = true;
  // MUTANT off-by-one `k < kPattern` -> `k <= kPattern` (bounds): pattern[4] does not exist.
  for (int k = 0; k < kPattern; ++k) same &= text[i + k] == pattern[k];
  // MUTANT guard-dropped (none): the result is place 0, but atomics may meet.
  // MUTANT atomic-weakened `atomicMin(first, i)` -> `*first = min(*first, i)` (race): threads overwrite each other's
  // places.
  if (same) atomicMin(first, i);
}

int main() {
  std::string text;
  for (int i = 0; i < 900; ++i) text += static_cast<char>('a' + i * i % 11 % 3);
  text.replace(500, 4, "xyxy");
  text.replace(700, 4, "xyxy");
  const std::string pattern = "xyxy";
  const int length = static_cast<int>(text.size()), none = 1 << 30;
  char *d_text = nullptr, *d_pattern = nullptr;
  int *d_first = nullptr, first = 0;
  // MUTANT allocation-shortened `length` -> `length - 8` (bounds): the end of the text has no memory.
  cudaMalloc(&d_text, length);
  cudaMalloc(&d_pattern, kPattern);
  cudaMalloc(&d_first, sizeof(int));
  // MUTANT copy-shortened (uninitialised): the second half of the text is never written.
  cudaMemcpy(d_text, text.data(), length, cudaMemcpyHostToDevice);
  cudaMemcpy(d_pattern, pattern.data(), kPattern, cudaMemcpyHostToDevice);
  // MUTANT initialisation-skipped (uninitialised): the smallest place is compared with what lay there.
  cudaMemcpy(d_first, &none, sizeof(int), cudaMemcpyHostToDevice);
  search<<<(length + 127) / 128, 128>>>(d_text, length, d_pattern, d_first);
  const cudaError_t error = cudaMemcpy(&first, d_first, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(d_text);
  cudaFree(d_pattern);
  cudaFree(d_first);
  if (error != cudaSuccess) return 2;
  return first == static_cast<int>(text.find(pattern)) ? 0 : 1;
}
