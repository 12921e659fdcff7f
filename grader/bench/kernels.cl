// The same naive product in OpenCL, for the comparison with Oclgrind.
kernel void naive_product(global const float* a, global const float* b, global float* c, int n) {
  const int row = get_global_id(1);
  const int col = get_global_id(0);
  if (row < n && col < n) {
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
  }
}

#define TILE 16

kernel void tiled_product(global const float* a, global const float* b, global float* c, int n) {
  local float a_tile[TILE][TILE];
  local float b_tile[TILE][TILE];
  const int x = get_local_id(0), y = get_local_id(1);
  const int row = get_group_id(1) * TILE + y;
  const int col = get_group_id(0) * TILE + x;
  float sum = 0;
  for (int phase = 0; phase < (n + TILE - 1) / TILE; ++phase) {
    const int a_col = phase * TILE + x;
    const int b_row = phase * TILE + y;
    a_tile[y][x] = row < n && a_col < n ? a[row * n + a_col] : 0.0f;
    b_tile[y][x] = b_row < n && col < n ? b[b_row * n + col] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; ++k) sum += a_tile[y][k] * b_tile[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (row < n && col < n) c[row * n + col] = sum;
}
