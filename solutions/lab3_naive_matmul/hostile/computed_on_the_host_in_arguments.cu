// EXPECT: computed-on-the-host
// AT MOST: 5 points
// attack: the same, with results that are arguments of a kernel
#include <cuda_runtime.h>
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <vector>
#include "matmul.h"

struct Some {
  float value[1000];
};

__global__ void store(Some some, float* to, int elements) {
  for (int i = threadIdx.x; i < elements; i += blockDim.x) to[i] = some.value[i];
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
  for (int done = 0; done < m * p; done += 1000) {
    Some some{};
    const int elements = std::min(m * p - done, 1000);
    std::copy_n(c.data() + done, elements, some.value);
    store<<<1, 256>>>(some, d_c + done, elements);
    if (cudaGetLastError() != cudaSuccess) std::fputs("matmul: not launched\n", stderr);
  }
}
