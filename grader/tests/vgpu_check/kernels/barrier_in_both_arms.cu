// Two barriers, each reached by a part of the block.
// launch: grid 2 block 64 args out[128]
__global__ void k(float* out) {
  __shared__ float s[64];
  s[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 20) {
    __syncthreads();
  } else {
    __syncthreads();  // expect: barrier-divergence
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = s[63 - threadIdx.x];
}
