// In place, but reading the neighbour's element.
// launch: grid 3 block 64 args f32[192] int=191
__global__ void k(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i + 1];  // expect: global-race
}
