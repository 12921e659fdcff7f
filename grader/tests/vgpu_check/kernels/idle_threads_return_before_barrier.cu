// Idle threads leave before a barrier.
// launch: grid 2 block 64 args f32[100] out[100] int=100
__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  s[threadIdx.x] = in[i];
  __syncthreads();  // expect: barrier-divergence
  out[i] = s[threadIdx.x ^ 1];
}
