// Threads of a block hand values on through global memory, across a barrier.
// launch: grid 2 block 64 args out[128] out[128]
__global__ void k(float* a, float* b) {
  const int first = blockIdx.x * blockDim.x;
  a[first + threadIdx.x] = threadIdx.x;
  __syncthreads();
  b[first + threadIdx.x] = a[first + 63 - threadIdx.x];
}
