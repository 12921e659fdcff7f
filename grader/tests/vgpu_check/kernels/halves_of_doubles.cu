// Two warps store doubles to the same places: small whole numbers, whose lower halves are all zero.
// launch: grid 1 block 64 args f32[64]
__global__ void k(double* out) {
  __shared__ double x[32];
  x[threadIdx.x % 32] = threadIdx.x;  // expect: shared-race
  __syncthreads();
  if (threadIdx.x < 32) out[threadIdx.x] = x[threadIdx.x];
}
