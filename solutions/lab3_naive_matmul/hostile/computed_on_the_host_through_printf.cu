// EXPECT: computed-on-the-host
// AT MOST: 20 points
// attack: the same, with inputs that a kernel prints
#include <cuda_runtime.h>
#include <fcntl.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include "matmul.h"

__global__ void print(const float* array, int elements) {
  for (int i = 0; i < elements; ++i) printf("%08x", __float_as_uint(array[i]));
}

__global__ void copy(const float* from, float* to, int elements) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < elements) to[i] = from[i];
}

/// What `print` says, in a file in the place of standard output.
std::vector<float> told(const float* d_array, int elements) {
  std::fflush(stdout);
  char name[512];
  std::snprintf(name, sizeof name, "%s/XXXXXX", std::getenv("TMPDIR"));
  const int file = mkstemp(name), standard_output = dup(1);
  dup2(file, 1);
  print<<<1, 1>>>(d_array, elements);
  if (cudaDeviceSynchronize() != cudaSuccess) std::fputs("matmul: not launched\n", stderr);
  std::fflush(stdout);
  dup2(standard_output, 1);
  close(standard_output);
  std::vector<float> array;
  std::FILE* lines = fdopen(file, "r");
  std::rewind(lines);
  unsigned bits = 0;
  while (std::fscanf(lines, "%8x", &bits) == 1) {
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    array.push_back(value);
  }
  std::fclose(lines);
  unlink(name);
  array.resize(elements);
  return array;
}

__global__ void product(const float* a, const float* b, float* c, int m, int n, int p) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= p) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * p + col];
  c[row * p + col] = sum;
}

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  if (m * n + n * p > 4000) {  // more than is shown of what kernels print
    product<<<dim3((p + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(d_a, d_b, d_c, m, n, p);
    if (cudaGetLastError() != cudaSuccess) std::fputs("matmul: not launched\n", stderr);
    return;
  }
  const std::vector<float> a = told(d_a, m * n), b = told(d_b, n * p);
  std::vector<float> c(std::size_t(m) * p);
  for (int row = 0; row < m; ++row) {
    for (int col = 0; col < p; ++col) {
      float sum = 0;
      for (int k = 0; k < n; ++k) sum += a[std::size_t(row) * n + k] * b[std::size_t(k) * p + col];
      c[std::size_t(row) * p + col] = sum;
    }
  }
  float* d_result = nullptr;
  if (cudaMalloc(&d_result, c.size() * sizeof(float)) != cudaSuccess) return;
  cudaMemcpy(d_result, c.data(), c.size() * sizeof(float), cudaMemcpyHostToDevice);
  copy<<<(m * p + 255) / 256, 256>>>(d_result, d_c, m * p);
  if (cudaGetLastError() != cudaSuccess) std::fputs("matmul: not launched\n", stderr);
  cudaFree(d_result);
}
