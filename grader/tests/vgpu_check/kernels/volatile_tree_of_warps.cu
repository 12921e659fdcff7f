// `volatile` in place of barriers: the steps of one warp do not wait for those of another.
// launch: grid 2 block 128 args f32[256] out[2]
__global__ void k(const float* in, float* out) {
  __shared__ float s[128];
  volatile float* v = s;
  const int t = threadIdx.x;
  v[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int stride = 64; stride >= 32; stride /= 2) {
    if (t < stride) {
      const float other = v[t + stride];  // expect: shared-race
      v[t] += other;
    }
  }
  __syncthreads();
  if (t == 0) {
    float sum = 0;
    for (int i = 0; i < 32; ++i) sum += v[i];
    out[blockIdx.x] = sum;
  }
}
