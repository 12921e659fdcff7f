// The programming guide's atomicAdd of doubles: the first read is a guess, which atomicCAS compares.
// launch: grid 4 block 64 args f32[256] zero[2]
__device__ double add(double* address, double value) {
  unsigned long long* bits = (unsigned long long*)address;
  unsigned long long old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}

__global__ void k(const float* in, double* sum) {
  add(sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
}
