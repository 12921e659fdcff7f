// A barrier that only the first threads reach; the others go on to the end.
// launch: grid 2 block 64 args out[128]
__global__ void k(float* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  if (threadIdx.x < 20) __syncthreads();  // expect: barrier-divergence redundant-barrier
}
