// The guard ends before the store: columns run into the next row.
// launch: grid 5 4 block 16 16 args u8[4464] outu8[4464] int=72 int=62
__global__ void k(const unsigned char* in, unsigned char* out, int columns, int rows) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned char v = 0;
  if (column < columns && row < rows) v = in[row * columns + column];
  out[row * columns + column] = v;  // expect: global-race global-out-of-bounds
}
