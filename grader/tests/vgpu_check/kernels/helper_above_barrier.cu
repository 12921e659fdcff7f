// launch: grid 1 block 64 args out[64]
__device__ void add_neighbour(int* tile, int t) {
  tile[t] += tile[(t + 1) % 64];  // expect: shared-race
}

__global__ void k(int* out) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  tile[t] = t;
  __syncthreads();
  add_neighbour(tile, t);
  tile[t] += 1;  // expect: shared-race
  out[t] = tile[t];
}
