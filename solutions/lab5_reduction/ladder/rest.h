// What the steps of the ladder leave out of lab 5's contract: the sum of integers. Appended to a step when it is
// graded.
#include "reduction.h"

__global__ void add_every_256th(const int* in, int* out, int n) {
  int sum = 0;
  for (int i = threadIdx.x; i < n; i += 256) sum += in[i];
  atomicAdd(out, sum);
}

void array_sum(const int* d_in, int* d_out, int n) {
  cudaError_t error = cudaMemset(d_out, 0, sizeof(int));
  add_every_256th<<<1, 256>>>(d_in, d_out, n);
  if (error == cudaSuccess) error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "array_sum: %s\n", cudaGetErrorString(error));
}
