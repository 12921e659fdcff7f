// The blocks add to a sum by atomics and count; nothing says that the last one sees all additions.
// launch: grid 8 block 32 args f32[256] zero[1] zero[1] out[1]
__global__ void k(const float* in, float* sum, unsigned* count, float* out) {
  if (threadIdx.x != 0) return;
  atomicAdd(sum, in[blockIdx.x * blockDim.x]);
  if (atomicAdd(count, 1u) == gridDim.x - 1) *out = *(volatile float*)sum;  // expect: global-race
}
