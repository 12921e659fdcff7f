// The last warp goes on alone, synchronised by __syncwarp.
// launch: grid 4 block 128 args f32[512] out[4]
__global__ void k(const float* in, float* out) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  if (t < 64) s[t] += s[t + 64];
  __syncthreads();
  if (t < 32) {
    float v = s[t] + s[t + 32];
    for (int stride = 16; stride > 0; stride /= 2) {
      s[t] = v;
      __syncwarp();
      v += s[(t + stride) % 32];
      __syncwarp();
    }
    if (t == 0) out[blockIdx.x] = v;
  }
}
