// Only some threads compare what they have read; the others use it as it is.
// launch: grid 4 block 32 args zero[1] out[128]
__global__ void k(int* most, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int old = *most;
  if (threadIdx.x < 16) {
    while (old < i) {
      const int assumed = old;
      old = atomicCAS(most, assumed, i);  // expect: global-race
      if (old == assumed) break;
    }
  }
  out[i] = old;
}
