// Every block counts, between fences, and reads what the block before has written: nobody looks at the counter, so that
// the block before need not have come there.
// launch: grid 4 block 32 args out[4] out[4] zero[1]
__global__ void k(float* data, float* out, unsigned* count) {
  if (threadIdx.x != 0) return;
  data[blockIdx.x] = 1;
  __threadfence();
  atomicAdd(count, 1u);
  __threadfence();
  const int other = blockIdx.x == 0 ? 0 : blockIdx.x - 1;
  out[blockIdx.x] = data[other];  // expect: global-race uninitialized-read
}
