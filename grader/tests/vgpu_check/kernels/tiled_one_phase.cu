// One tile is the whole product: what the second barrier of the loop is for does not show.
// launch: grid 1 1 block 16 16 args f32[256] f32[256] out[256] int=16
#define TILE 16
__global__ void k(const float* a, const float* b, float* c, int n) {
  __shared__ float as[TILE][TILE], bs[TILE][TILE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
  float sum = 0;
  for (int t = 0; t < n / TILE; ++t) {
    as[ty][tx] = a[row * n + t * TILE + tx];
    bs[ty][tx] = b[(t * TILE + ty) * n + col];
    __syncthreads();
    for (int i = 0; i < TILE; ++i) sum += as[ty][i] * bs[i][tx];
    __syncthreads();
  }
  __syncthreads();  // expect: redundant-barrier
  c[row * n + col] = sum;
}
