// Reads what nobody wrote.
// launch: grid 2 block 64 args out[128]
__global__ void k(float* out) {
  __shared__ float s[65];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x + 1];  // expect: uninitialized-read
}
