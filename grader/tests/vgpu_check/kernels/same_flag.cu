// Many threads raise one flag: all write the same value.
// launch: grid 2 block 64 args f32[128] zero[1]
__global__ void k(const float* in, int* found) {
  if (in[blockIdx.x * blockDim.x + threadIdx.x] >= 0) *found = 1;  // expect: global-race(warning)
}
