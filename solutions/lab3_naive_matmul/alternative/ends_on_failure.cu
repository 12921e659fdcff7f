// EXPECT: full marks
// The C library's headers, a macro that prints and ends the program, and a loop over all elements by a fixed number of
// blocks.
#include "matmul.h"

#include <stdio.h>
#include <stdlib.h>

static void HandleError(cudaError_t err, const char* file, int line) {
  if (err != cudaSuccess) {
    fprintf(stderr, "%s in %s at line %d\n", cudaGetErrorString(err), file, line);
    exit(EXIT_FAILURE);
  }
}
#define HANDLE_ERROR(err) (HandleError(err, __FILE__, __LINE__))

#define imin(a, b) (a < b ? a : b)

const int threadsPerBlock = 256;

__global__ void mul(const float* a, const float* b, float* c, long m, long n, long p) {
  long tid = threadIdx.x + (long)blockIdx.x * blockDim.x;
  while (tid < m * p) {
    long y = tid / p;
    long x = tid - y * p;
    float temp = 0;
    for (long i = 0; i < n; i++) temp += a[i + y * n] * b[x + i * p];
    c[x + y * p] = temp;
    tid += (long)blockDim.x * gridDim.x;
  }
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const long N = (long)m * p;
  const long blocksPerGrid = imin(4096L, (N + threadsPerBlock - 1) / threadsPerBlock);
  mul<<<(unsigned)blocksPerGrid, threadsPerBlock>>>(d_a, d_b, d_c, m, n, p);
  HANDLE_ERROR(cudaGetLastError());
}
