// The step of 64 threads still needs a barrier of the block, and has one of the warp.
// launch: grid 4 block 128 args f32[512] out[4]
__global__ void k(const float* in, float* out) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) s[t] += s[t + stride];  // expect: shared-race
    if (stride > 64) {
      __syncthreads();
    } else {
      __syncwarp();
    }
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
