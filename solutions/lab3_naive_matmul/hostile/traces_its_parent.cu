// EXPECT: full marks
// attack: reads and writes the memory of its parent (row 22)
#include <cuda_runtime.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
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
  ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr);
  char byte = 0;
  const iovec here{&byte, 1}, there{reinterpret_cast<void*>(0x400000), 1};
  process_vm_readv(getppid(), &here, 1, &there, 1, 0);
  process_vm_writev(getppid(), &here, 1, &there, 1, 0);
  syscall(434, getppid(), 0);  // pidfd_open
  product<<<dim3((p + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(d_a, d_b, d_c, m, n, p);
  if (cudaGetLastError() != cudaSuccess) std::fputs("matmul: not launched\n", stderr);
}
