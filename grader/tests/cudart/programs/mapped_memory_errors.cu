// What programs with page-locked memory in kernels get wrong; the argument says which of it.
#include "check.h"

constexpr int kCount = 5000;

__global__ void increase(const int* from, int* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i] + 1;
}

__global__ void last(int* to) {
  to[0] = static_cast<int>(threadIdx.x);  // every thread
}

int main(int argc, char** argv) {
  const int what = argc > 1 ? std::atoi(argv[1]) : 0;
  int *from = nullptr, *to = nullptr;
  CHECK(cudaMallocHost(&from, kCount * sizeof(int)));
  CHECK(cudaMallocHost(&to, kCount * sizeof(int)));  // allocated
  int* const own = static_cast<int*>(std::malloc((kCount + 2000) * sizeof(int)));
  CHECK(cudaHostRegister(own, kCount * sizeof(int), cudaHostRegisterDefault));  // registered
  for (int i = 0; i < kCount; ++i) from[i] = own[i] = i;
  if (what == 6) CHECK(cudaFreeHost(to));         // freed
  if (what == 7) CHECK(cudaHostUnregister(own));  // unregistered
  if (what == 0) increase<<<20, 256>>>(from, to, kCount + 1);
  if (what == 1) increase<<<20, 256>>>(from, own, kCount + 1);
  if (what == 2) increase<<<20, 256>>>(to, own, kCount);
  if (what == 3 || what == 4 || what == 6) increase<<<20, 256>>>(from, to, kCount);
  if (what == 5 || what == 7) increase<<<20, 256>>>(from, own, kCount);
  if (what == 8) last<<<20, 256>>>(to);
  if (what == 9) increase<<<20, 256>>>(from, static_cast<int*>(std::malloc(kCount * sizeof(int))), kCount);
  if (what == 3) std::printf("%d\n", to[7]);      // reads too early
  if (what == 4) from[7] = 0;                     // writes too early
  if (what == 5) std::printf("%d\n", own[2000]);  // reads registered memory too early
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
