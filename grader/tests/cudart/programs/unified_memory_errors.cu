// What programs with unified memory get wrong.
#include <numeric>

#include "check.h"

__global__ void fill(int* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = i;
}

__global__ void sum(const int* from, int n, int* to) {
  for (int i = 0; i < n; ++i) *to += from[i];  // never written
}

int main() {
  constexpr int kCount = 5000;
  int *early = nullptr, *library = nullptr, *late = nullptr, *partly = nullptr;
  CHECK(cudaMallocManaged(&early, kCount * sizeof(int)));
  fill<<<20, 256>>>(early, kCount);
  std::printf("%d\n", early[1]);  // reads too early
  CHECK(cudaDeviceSynchronize());

  CHECK(cudaMallocManaged(&library, kCount * sizeof(int)));
  fill<<<20, 256>>>(library, kCount);
  std::printf("%d\n", std::accumulate(library, library + kCount, 0));  // as does the library
  CHECK(cudaDeviceSynchronize());

  CHECK(cudaMallocManaged(&late, kCount * sizeof(int)));
  fill<<<20, 256>>>(late, kCount);
  late[0] = 7;  // writes too early
  CHECK(cudaDeviceSynchronize());

  CHECK(cudaMallocManaged(&partly, kCount * sizeof(int)));  // never freed
  for (int i = 0; i < kCount - 1; ++i) partly[i] = -1;
  early[0] = 0;
  sum<<<1, 1>>>(partly, kCount, early);
  CHECK(cudaDeviceSynchronize());

  CHECK(cudaFree(early));
  CHECK(cudaFree(library));
  CHECK(cudaFree(late));
}
