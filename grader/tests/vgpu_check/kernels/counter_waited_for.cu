// A barrier of all blocks by a counter: every thread may look until all blocks have counted.
// launch: grid 4 block 64 args out[4] zero[1] out[4]
__global__ void k(float* data, unsigned* count, float* out) {
  if (threadIdx.x == 0) {
    data[blockIdx.x] = blockIdx.x;
    __threadfence();
    atomicAdd(count, 1u);
  }
  while (*(volatile unsigned*)count < gridDim.x) {
  }
  __threadfence();
  if (threadIdx.x == 0) out[blockIdx.x] = data[(blockIdx.x + 1) % gridDim.x];
}
