// The launch asks for half of what the kernel uses.
// launch: grid 2 block 64 shared 128 args f32[128] out[128]
extern __shared__ float s[];
__global__ void k(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = in[i];  // expect: shared-out-of-bounds
  __syncthreads();
  out[i] = s[threadIdx.x % 32];
}
