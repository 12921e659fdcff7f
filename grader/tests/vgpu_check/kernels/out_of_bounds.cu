// No guard.
// launch: grid 2 block 64 args f32[100] out[100]
__global__ void k(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 2 * in[i];  // expect: global-out-of-bounds
}
