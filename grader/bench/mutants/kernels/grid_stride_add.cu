// c = a + b by a grid that is smaller than the arrays. Right, because the strides of all threads visit each index below
// n exactly once, so that no two threads touch the same element.
#include <cuda_runtime.h>

#include <vector>

constexpr int kCount = 3000, kBlocks = 4, kThreads = 128, kBytes = kCount * sizeof(int);

__global__ void add(const int* a, const int* b, int* c, int n) {
  const int step = gridDim.x * blockDim.x;
  // MUTANT off-by-one `i < n` -> `i <= n` (bounds): one thread comes to index 3000, behind the last element.
  // MUTANT unequal-trips `i < n` -> `i < n + step` (bounds): every thread makes a turn more, behind the arrays.
  // MUTANT index-swapped `i = blockIdx.x * blockDim.x + threadIdx.x` -> `i = threadIdx.x * gridDim.x + blockIdx.x`
  // (none): the threads share out the same indices in another order.
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
    c[i] = a[i] + b[i];
  }
}

int main() {
  std::vector<int> a(kCount), b(kCount), c(kCount);
  for (int i = 0; i < kCount; ++i) a[i] = 3 * i, b[i] = i ^ 5;
  int *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
  cudaMalloc(&d_a, kBytes);
  cudaMalloc(&d_b, kBytes);
  // MUTANT allocation-shortened `kBytes` -> `kBytes - 4` (bounds): the last element of c has no memory.
  cudaMalloc(&d_c, kBytes);
  cudaMemcpy(d_a, a.data(), kBytes, cudaMemcpyHostToDevice);
  // MUTANT copy-shortened (uninitialised): nothing writes the second half of b.
  cudaMemcpy(d_b, b.data(), kBytes, cudaMemcpyHostToDevice);
  add<<<kBlocks, kThreads>>>(d_a, d_b, d_c, kCount);
  // MUTANT free-early `-1` (lifetime): b is freed before the kernel that reads it is launched.
  cudaFree(d_b);
  const cudaError_t error = cudaMemcpy(c.data(), d_c, kBytes, cudaMemcpyDeviceToHost);
  cudaFree(d_a);
  cudaFree(d_c);
  if (error != cudaSuccess) return 2;
  for (int i = 0; i < kCount; ++i) {
    if (c[i] != a[i] + b[i]) return 1;
  }
  return 0;
}
