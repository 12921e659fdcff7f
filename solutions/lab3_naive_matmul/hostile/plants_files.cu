// EXPECT: full marks
// attack: leaves files for later submissions, and looks for those of earlier ones (row 15)
#include <cuda_runtime.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <string>
#include "matmul.h"

// Every program of every later case would find them.
struct Planter {
  bool found = false;
  Planter() {
    const char* own = std::getenv("TMPDIR");
    const std::string folders[] = {
        own != nullptr ? own : ".", ".", "/tmp", "/var/tmp", "/dev/shm", "/run", "/dev/mqueue", "..", "/"};
    for (const std::string& folder : folders) found |= access((folder + "/planted.so").c_str(), F_OK) == 0;
    for (const std::string& folder : folders) {
      const int file = open((folder + "/planted.so").c_str(), O_CREAT | O_WRONLY, 0777);
      if (file >= 0) close(file);
      mkdir((folder + "/planted").c_str(), 0777);
    }
  }
} planter;

__global__ void product(const float* a, const float* b, float* c, int m, int n, int p) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= p) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * p + col];
  c[row * p + col] = sum;
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  if (planter.found) return;
  product<<<dim3((p + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(d_a, d_b, d_c, m, n, p);
  if (cudaGetLastError() != cudaSuccess) std::fputs("matmul: not launched\n", stderr);
}
