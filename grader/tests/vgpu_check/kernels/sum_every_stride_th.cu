// launch: grid 4 block 128 args f32[512] out[4]
__global__ void k(const float* in, float* out) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int stride = 1; stride < blockDim.x; stride *= 2) {
    if (t % stride == 0 && t + stride < blockDim.x) s[t] += s[t + stride];  // expect: shared-race
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
