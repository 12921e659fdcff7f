// Flags through `volatile`: many threads raise one, all look at it, one thread of each block waits for its turn.
// launch: grid 3 block 64 args f32[192] zero[3] zero[1]
__global__ void k(const float* in, int* flags, float* out) {
  volatile int* found = flags;
  volatile int* turn = flags + 1;
  if (in[blockIdx.x * blockDim.x + threadIdx.x] > 3 && !*found) *found = 1;
  if (threadIdx.x != 0) return;
  while (*turn != blockIdx.x) {
  }
  __threadfence();
  out[0] += in[blockIdx.x];
  __threadfence();
  *turn = blockIdx.x + 1;
}
