// The tiled product at sizes that are no multiples of the tile, edge tiles filled with zeros.
// launch: grid 3 3 block 16 16 args f32[1600] f32[1600] out[1600] int=40
#define TILE 16
__global__ void k(const float* a, const float* b, float* c, int n) {
  __shared__ float as[TILE][TILE + 1], bs[TILE][TILE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
  float sum = 0;
  for (int t = 0; t < (n + TILE - 1) / TILE; ++t) {
    as[ty][tx] = row < n && t * TILE + tx < n ? a[row * n + t * TILE + tx] : 0;
    bs[ty][tx] = col < n && t * TILE + ty < n ? b[(t * TILE + ty) * n + col] : 0;
    __syncthreads();
    for (int i = 0; i < TILE; ++i) sum += as[ty][i] * bs[i][tx];
    __syncthreads();
  }
  if (row < n && col < n) c[row * n + col] = sum;
}
