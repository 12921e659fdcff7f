// The edge of the tile is left as it is.
// launch: grid 2 2 block 16 16 args f32[400] f32[400] out[400] int=20
#define TILE 16
__global__ void k(const float* a, const float* b, float* c, int n) {
  __shared__ float as[TILE][TILE], bs[TILE][TILE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
  float sum = 0;
  for (int t = 0; t < (n + TILE - 1) / TILE; ++t) {
    if (row < n && t * TILE + tx < n) as[ty][tx] = a[row * n + t * TILE + tx];
    if (col < n && t * TILE + ty < n) bs[ty][tx] = b[(t * TILE + ty) * n + col];
    __syncthreads();
    for (int i = 0; i < TILE; ++i) sum += as[ty][i] * bs[i][tx];  // expect: uninitialized-read
    __syncthreads();
  }
  if (row < n && col < n) c[row * n + col] = sum;
}
