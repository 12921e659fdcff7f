// C = A B with a thread for each element of C. Right, because C is written once for each place, and A and B are only
// read.
#include <cuda_runtime.h>

#include <vector>

constexpr int kM = 37, kN = 29, kP = 41;

__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int p) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  // MUTANT guard-dropped (bounds): 48 x 48 threads for 37 x 41 places.
  // MUTANT off-by-one `row >= m` -> `row > m` (bounds): row 37 of A and C does not exist.
  // MUTANT off-by-one `column >= p` -> `column > p` (race|bounds): column 41 of a row is column 0 of the next one, so
  // two threads write it; after the last row it is behind C.
  if (row >= m || column >= p) return;
  float sum = 0.0f;
  // MUTANT off-by-one `k < n` -> `k <= n` (bounds): the last row reads one place behind A, and b[29 * 41 + column] is
  // behind B.
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * p + column];
  // MUTANT index-swapped `row * p + column` -> `column * p + row` (bounds): with column 40 and p 41 that is 1640 and
  // more, of 1517 places.
  c[row * p + column] = sum;
}

int main() {
  std::vector<float> a(kM * kN), b(kN * kP), c(kM * kP);
  for (int i = 0; i < kM * kN; ++i) a[i] = i % 5;
  for (int i = 0; i < kN * kP; ++i) b[i] = i % 3;
  float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
  cudaMalloc(&d_a, a.size() * sizeof(float));
  cudaMalloc(&d_b, b.size() * sizeof(float));
  cudaMalloc(&d_c, c.size() * sizeof(float));
  cudaMemcpy(d_a, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice);
  // MUTANT initialisation-skipped (uninitialised): B is never written.
  cudaMemcpy(d_b, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice);
  const dim3 threads(16, 16), blocks((kP + 15) / 16, (kM + 15) / 16);
  matmul<<<blocks, threads>>>(d_a, d_b, d_c, kM, kN, kP);
  const cudaError_t error = cudaMemcpy(c.data(), d_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
  if (error != cudaSuccess) return 2;
  for (int row = 0; row < kM; ++row) {
    for (int column = 0; column < kP; ++column) {
      float sum = 0.0f;
      for (int k = 0; k < kN; ++k) sum += a[row * kN + k] * b[k * kP + column];
      if (c[row * kP + column] != sum) return 1;
    }
  }
  return 0;
}
