// Every thread of all blocks writes one element.
// launch: grid 4 block 64 args out[1]
__global__ void k(float* out) {
  out[0] = blockIdx.x * blockDim.x + threadIdx.x;  // expect: global-race
}
