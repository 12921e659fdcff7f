// The same between the warps of one block.
// launch: grid 1 block 128 args f32[128] out[1]
__global__ void k(const float* in, float* out) {
  __shared__ volatile float sum;
  const int t = threadIdx.x;
  if (t == 0) sum = 0;
  __syncthreads();
  if (t % 32 == 0) sum = sum + in[t] + 1;  // expect: shared-race
  __syncthreads();
  if (t == 0) out[0] = sum;
}
