// The last warp relies on volatile: fine before Volta.
// launch: grid 4 block 64 args f32[256] out[4]
__global__ void k(const float* in, float* out) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  if (t < 32) {
    volatile float* v = s;
    v[t] += v[t + 32];
    if (t < 16) v[t] += v[t + 16];  // expect: shared-race(warning)
    if (t < 8) v[t] += v[t + 8];  // expect: shared-race(warning)
    if (t < 4) v[t] += v[t + 4];  // expect: shared-race(warning)
    if (t < 2) v[t] += v[t + 2];  // expect: shared-race(warning)
    if (t < 1) v[t] += v[t + 1];  // expect: shared-race(warning)
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
