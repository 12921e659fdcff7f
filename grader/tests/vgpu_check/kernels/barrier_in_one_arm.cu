// A barrier in one arm; the threads of the other arm wait at the next one.
// launch: grid 1 block 64 args out[64]
__global__ void k(float* out) {
  __shared__ float s[64];
  s[threadIdx.x] = 1;
  if (threadIdx.x < 32) {
    s[threadIdx.x] = 2;
    __syncthreads();
  }
  __syncthreads();  // expect: barrier-divergence
  out[threadIdx.x] = s[threadIdx.x];
}
