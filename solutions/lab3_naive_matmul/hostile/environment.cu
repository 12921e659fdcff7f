// EXPECT: full marks
// attack: says what it finds around it: environment, arguments, auxiliary vector (row 21)
#include <cuda_runtime.h>
#include <fcntl.h>
#include <sys/auxv.h>
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
  for (char** each = environ; *each != nullptr; ++each) std::puts(*each);
  for (const char* path : {"/proc/self/environ", "/proc/self/cmdline", "/proc/self/maps", "/proc/self/mounts",
                           "/proc/1/environ", CUDALABS_CANARY}) {
    char text[4096];
    const int file = open(path, O_RDONLY);
    const ssize_t bytes = file < 0 ? 0 : read(file, text, sizeof text);
    if (bytes > 0) fwrite(text, 1, std::size_t(bytes), stdout);
  }
  std::puts(reinterpret_cast<const char*>(getauxval(AT_EXECFN)));
  product<<<dim3((p + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(d_a, d_b, d_c, m, n, p);
  if (cudaGetLastError() != cudaSuccess) std::fputs("matmul: not launched\n", stderr);
}
