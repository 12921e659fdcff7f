// All lanes of each warp shuffle with a mask that names half of them.
// launch: grid 2 block 64 args f32[128] out[128]
__global__ void k(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  v += __shfl_xor_sync(0x0000ffffu, v, 1);  // expect: barrier-divergence
  out[i] = v;
}
