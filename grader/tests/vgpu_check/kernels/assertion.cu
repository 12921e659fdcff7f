// More threads than the kernel says there may be.
// launch: grid 2 1 block 32 1 args f32[64] out[64] int=40
#include <cassert>
__global__ void k(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(i < n);  // expect: assertion-failed
  out[i] = in[i];
}
