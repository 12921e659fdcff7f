// The tile is overwritten while others still read it.
// launch: grid 4 4 block 16 16 args f32[4096] f32[4096] out[4096] int=64
#define TILE 16
__global__ void k(const float* a, const float* b, float* c, int n) {
  __shared__ float as[TILE][TILE], bs[TILE][TILE];
  const int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n / TILE; ++t) {
    as[threadIdx.y][threadIdx.x] = a[row * n + t * TILE + threadIdx.x];    // expect: shared-race
    bs[threadIdx.y][threadIdx.x] = b[(t * TILE + threadIdx.y) * n + col];  // expect: shared-race
    __syncthreads();
    for (int i = 0; i < TILE; ++i) sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
  }
  c[row * n + col] = sum;
}
