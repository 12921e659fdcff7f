// Adds to what was never cleared.
// launch: grid 1 block 64 args out[64]
__global__ void k(float* out) {
  out[threadIdx.x] += 1;  // expect: uninitialized-read
}
