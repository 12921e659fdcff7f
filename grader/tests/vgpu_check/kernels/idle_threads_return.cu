// Idle threads leave early; there is no barrier to miss.
// launch: grid 2 block 64 args f32[100] out[100] int=100
__global__ void k(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = 2 * in[i];
}
