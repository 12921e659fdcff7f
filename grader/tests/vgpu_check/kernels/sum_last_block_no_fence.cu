// Without the fence the last block may read old values.
// launch: grid 8 block 64 args f32[512] out[9] zero[1]
__global__ void k(const float* in, float* out, unsigned* count) {
  __shared__ bool last;
  const int t = threadIdx.x;
  if (t == 0) {
    out[1 + blockIdx.x] = in[blockIdx.x * blockDim.x];
    last = atomicAdd(count, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && t == 0) {
    float sum = 0;
    for (int i = 0; i < gridDim.x; ++i) sum += out[1 + i];  // expect: global-race
    out[0] = sum;
  }
}
