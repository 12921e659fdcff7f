// y = a x + y with a thread for each element. Right, because thread i alone touches y[i] and x[i], the guard keeps the
// threads behind the last element away from both arrays, and both are copied whole before the launch.
#include <cuda_runtime.h>

#include <vector>

constexpr int kCount = 1000, kThreads = 256, kBytes = kCount * sizeof(float);

__global__ void saxpy(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // MUTANT guard-dropped (bounds): four blocks are 1024 threads; threads 1000 to 1023 access what lies behind the
  // arrays.
  // MUTANT off-by-one `i < n` -> `i <= n` (bounds): thread 1000 accesses x[1000] and y[1000], which do not exist.
  // MUTANT off-by-one `y[i] =` -> `y[i + 1] =` (race|bounds): thread i writes what thread i + 1 reads, and nothing
  // orders them; thread 999 writes y[1000].
  if (i < n) y[i] = a * x[i] + y[i];
}

int main() {
  std::vector<float> x(kCount), y(kCount), result(kCount);
  for (int i = 0; i < kCount; ++i) x[i] = i % 17, y[i] = i % 5;
  float *d_x = nullptr, *d_y = nullptr;
  // MUTANT allocation-shortened `kBytes` -> `kBytes - 256` (bounds): the last 64 elements of x lie outside of it.
  cudaMalloc(&d_x, kBytes);
  cudaMalloc(&d_y, kBytes);
  // MUTANT copy-shortened (uninitialised): the second half of x has never been written when it is read.
  cudaMemcpy(d_x, x.data(), kBytes, cudaMemcpyHostToDevice);
  // MUTANT initialisation-skipped (uninitialised): y is read before anything has written it.
  cudaMemcpy(d_y, y.data(), kBytes, cudaMemcpyHostToDevice);
  saxpy<<<(kCount + kThreads - 1) / kThreads, kThreads>>>(2.0f, d_x, d_y, kCount);
  const cudaError_t error = cudaMemcpy(result.data(), d_y, kBytes, cudaMemcpyDeviceToHost);
  // MUTANT free-forgotten (leak): nothing else frees x.
  cudaFree(d_x);
  cudaFree(d_y);
  if (error != cudaSuccess) return 2;
  for (int i = 0; i < kCount; ++i) {
    if (result[i] != 2.0f * x[i] + y[i]) return 1;
  }
  return 0;
}
