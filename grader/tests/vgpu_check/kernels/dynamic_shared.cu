// Shared memory of the launch, reversed through it.
// launch: grid 2 block 64 shared 256 args f32[128] out[128]
extern __shared__ float s[];
__global__ void k(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = s[blockDim.x - 1 - threadIdx.x];
}
