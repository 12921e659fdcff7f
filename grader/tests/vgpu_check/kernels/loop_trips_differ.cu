// Threads pass the barrier in the loop different numbers of times.
// launch: grid 1 block 64 args out[64]
__global__ void k(float* out) {
  float v = 0;
  for (int i = 0; i <= threadIdx.x % 4; ++i) {
    v += i;
    __syncthreads();  // expect: barrier-divergence redundant-barrier
  }
  out[threadIdx.x] = v;
}
