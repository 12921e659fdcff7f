// The mask names lanes that do not come: they wait at the barrier of the block.
// launch: grid 1 block 32 args out[32]
__global__ void k(float* out) {
  float v = threadIdx.x;
  if (threadIdx.x < 16) v = __shfl_xor_sync(0xffffffffu, v, 1);  // expect: barrier-divergence
  __syncthreads();
  out[threadIdx.x] = v;
}
