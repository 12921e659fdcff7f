// The naive matrix product, sizes that are no multiples of the block.
// launch: grid 3 3 block 16 16 args f32[1600] f32[1600] out[1600] int=40
__global__ void k(const float* a, const float* b, float* c, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n && col < n) {
    float sum = 0;
    for (int i = 0; i < n; ++i) sum += a[row * n + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}
