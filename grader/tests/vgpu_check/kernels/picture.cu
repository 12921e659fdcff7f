// Twice the pixel, bytes, a picture of 72 x 62.
// launch: grid 5 4 block 16 16 args u8[4464] outu8[4464] int=72 int=62
__global__ void k(const unsigned char* in, unsigned char* out, int columns, int rows) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column < columns && row < rows) out[row * columns + column] = 2 * in[row * columns + column];
}
