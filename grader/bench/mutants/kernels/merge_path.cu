// Merges two sorted arrays: each thread finds by bisection where its part begins, and merges eight values. Right,
// because parts do not overlap, and all indices into the inputs are checked against their ends.
#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

constexpr int kA = 300, kB = 212, kEach = 8, kThreads = 64;

__global__ void merge(const int* a, const int* b, int* out) {
  const int begin = (blockIdx.x * blockDim.x + threadIdx.x) * kEach;
  if (begin >= kA + kB) return;
  int low = max(0, begin - kB), high = min(begin, kA);
  while (low < high) {
    const int middle = (low + high) / 2;
    // MUTANT off-by-one `b[begin - 1 - middle]` -> `b[begin - middle]` (none): bisection compares with the wrong value,
    // so parts may overlap in what they read. The result is wrong, but all reads stay inside, and each part is written
    // once.
    if (a[middle] <= b[begin - 1 - middle]) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  int i = low, j = begin - low;
  // MUTANT off-by-one `k < kEach` -> `k <= kEach` (race|bounds): the ninth place is the first one of the next thread;
  // the last thread writes behind the array.
  for (int k = 0; k < kEach; ++k) {
    // MUTANT guard-dropped `j >= kB || (i < kA && a[i] <= b[j])` -> `a[i] <= b[j]` (bounds): when one input is used up,
    // the reads go on behind it.
    // MUTANT guard-dropped `i < kA && a[i]` -> `a[i]` (bounds): a[300] is read when b has values left.
    const bool from_a = j >= kB || (i < kA && a[i] <= b[j]);
    out[begin + k] = from_a ? a[i++] : b[j++];
  }
}

int main() {
  std::vector<int> a(kA), b(kB), out(kA + kB), expected(kA + kB);
  for (int i = 0; i < kA; ++i) a[i] = 3 * i;
  for (int i = 0; i < kB; ++i) b[i] = 5 * i + 1;
  int *d_a = nullptr, *d_b = nullptr, *d_out = nullptr;
  cudaMalloc(&d_a, kA * sizeof(int));
  cudaMalloc(&d_b, kB * sizeof(int));
  // MUTANT allocation-shortened `(kA + kB)` -> `kA` (bounds): merged values have no memory from place 300 on.
  cudaMalloc(&d_out, (kA + kB) * sizeof(int));
  cudaMemcpy(d_a, a.data(), kA * sizeof(int), cudaMemcpyHostToDevice);
  // MUTANT copy-shortened (uninitialised): the second half of b is never written.
  cudaMemcpy(d_b, b.data(), kB * sizeof(int), cudaMemcpyHostToDevice);
  merge<<<(kA + kB + kEach * kThreads - 1) / (kEach * kThreads), kThreads>>>(d_a, d_b, d_out);
  const cudaError_t error = cudaMemcpy(out.data(), d_out, (kA + kB) * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_out);
  if (error != cudaSuccess) return 2;
  std::merge(a.begin(), a.end(), b.begin(), b.end(), expected.begin());
  return out == expected ? 0 : 1;
}
