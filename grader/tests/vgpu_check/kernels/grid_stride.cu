// A grid-stride loop, in place.
// launch: grid 3 block 64 args f32[1000] int=1000
__global__ void k(float* x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] *= 2;
}
