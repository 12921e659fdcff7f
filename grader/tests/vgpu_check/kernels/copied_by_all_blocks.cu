// Every block copies the same elements in each of its rounds; what it draws between them is a place in a list.
// launch: grid 4 block 32 args f32[32] out[32] zero[1] out[8]
__global__ void k(const float* in, float* out, unsigned* next, unsigned* list) {
  for (int round = 0; round < 2; ++round) {
    out[threadIdx.x] = in[threadIdx.x];  // expect: global-race(warning)
    __syncthreads();
    if (threadIdx.x == 0) list[atomicAdd(next, 1u)] = blockIdx.x;
    __syncthreads();
  }
}
