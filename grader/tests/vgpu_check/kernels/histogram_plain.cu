// Bins without atomics.
// launch: grid 1 block 64 args u8[1000] zero[16] int=1000
__global__ void k(const unsigned char* in, int* bins, int n) {
  __shared__ int local[16];
  if (threadIdx.x < 16) local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) local[in[i] % 16]++;  // expect: shared-race
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}
