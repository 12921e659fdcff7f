// EXPECT: runner-crashed, unwritten-output
// AT MOST: 20 points
// attack: finds the files of the exchange, computes on the host, and says DONE (rows 19 and 20)
#include <cuda_runtime.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cstdio>
#include <cstring>
#include <vector>
#include "matmul.h"

struct Message {
  unsigned magic = 0x43554c41, said = 1;
  unsigned long long rest[2] = {};
  char text[488] = {};
};

__global__ void product(const float* a, const float* b, float* c, int m, int n, int p) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= p) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * p + col];
  c[row * p + col] = sum;
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  std::vector<float> a(std::size_t(m) * n), b(std::size_t(n) * p), c(std::size_t(m) * p);
  cudaMemcpy(a.data(), d_a, a.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(b.data(), d_b, b.size() * sizeof(float), cudaMemcpyDeviceToHost);
  for (int row = 0; row < m; ++row) {
    for (int col = 0; col < p; ++col) {
      float sum = 0;
      for (int k = 0; k < n; ++k) sum += a[std::size_t(row) * n + k] * b[std::size_t(k) * p + col];
      c[std::size_t(row) * p + col] = sum;
    }
  }
  // The header of the file of outputs is that of the harness: what follows it are the elements.
  product<<<dim3((p + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(d_a, d_b, d_c, m, n, p);
  cudaDeviceSynchronize();
  for (int file = 5; file < 64; ++file) {
    struct stat status {};
    if (fstat(file, &status) != 0) continue;
    const std::size_t bytes = c.size() * sizeof(float);
    for (std::size_t at = 0; at + bytes <= std::size_t(status.st_size); at += 64)
      if (pwrite(file, c.data(), bytes, off_t(at)) < 0) break;
  }
  Message done;
  send(3, &done, sizeof done, MSG_NOSIGNAL);
  _exit(0);
}
