// A block counts, and its threads look at the counter once more to see whether theirs is the last block.
// launch: grid 8 block 64 args f32[512] out[9] zero[1]
__global__ void k(const float* in, float* out, unsigned* count) {
  const int t = threadIdx.x;
  if (t == 0) {
    out[1 + blockIdx.x] = in[blockIdx.x * blockDim.x];
    __threadfence();
    atomicAdd(count, 1u);
  }
  __syncthreads();
  if (*(volatile unsigned*)count == gridDim.x && t == 0) {  // expect: global-race
    __threadfence();
    float sum = 0;
    for (int i = 0; i < gridDim.x; ++i) sum += out[1 + i];
    out[0] = sum;
  }
}
