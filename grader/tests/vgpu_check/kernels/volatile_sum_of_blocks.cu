// `volatile` does not make reading and writing one step: blocks overwrite each other's sums.
// launch: grid 4 block 64 args f32[256] zero[1]
__global__ void k(const float* in, float* out) {
  volatile float* sum = out;
  if (threadIdx.x == 0) *sum = *sum + in[blockIdx.x * blockDim.x] + 1;  // expect: global-race
}
