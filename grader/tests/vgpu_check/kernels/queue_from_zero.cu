// Blocks begin with the piece of their own index, and a counter that starts at 0 gives these pieces out again.
// launch: grid 4 block 64 args f32[512] out[512] zero[1] int=8
__global__ void k(const float* in, float* out, unsigned* next, int pieces) {
  __shared__ unsigned drawn;
  for (unsigned piece = blockIdx.x; piece < pieces; piece = drawn) {
    __syncthreads();
    out[piece * 64 + threadIdx.x] = in[piece * 64 + threadIdx.x];  // expect: global-race(warning)
    if (threadIdx.x == 0) drawn = atomicAdd(next, 1u);             // other warps may still store
    __syncthreads();
  }
}
