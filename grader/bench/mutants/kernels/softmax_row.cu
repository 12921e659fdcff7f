// Softmax of each row, a block a row: the greatest value, then the sum of exponentials, both by one shared array.
// Right, because barriers stand between the array's writes and reads, and between the first use of the array and the
// second.
#include <cuda_runtime.h>

#include <cmath>
#include <vector>

constexpr int kRows = 6, kColumns = 200, kThreads = 64;

__global__ void softmax(const float* in, float* out, int columns) {
  __shared__ float cells[kThreads];
  const int t = threadIdx.x;
  const float* row = in + blockIdx.x * columns;
  // MUTANT off-by-one `row[t]` -> `row[t + columns]` (bounds): the last block reads behind the last row.
  float greatest = row[t];
  for (int i = t; i < columns; i += kThreads) greatest = fmaxf(greatest, row[i]);
  cells[t] = greatest;
  for (int width = kThreads / 2; width > 0; width /= 2) {
    // MUTANT barrier-deleted (race): the step reads what other threads wrote in the one before.
    // MUTANT barrier-guarded `t < width * 2` (barrier): fewer threads reach it in each step.
    // MUTANT barrier-duplicated (none): nothing new is ordered.
    __syncthreads();
    if (t < width) cells[t] = fmaxf(cells[t], cells[t + width]);
  }
  // MUTANT barrier-deleted (race): the others read the greatest value while thread 0 writes it.
  __syncthreads();
  greatest = cells[0];
  // MUTANT barrier-deleted (race): thread 0 may write its sum before others have read the greatest value.
  // MUTANT barrier-weakened (race): the second warp may still read it.
  __syncthreads();
  float sum = 0.0f;
  // MUTANT off-by-one `i < columns` -> `i <= columns` (bounds): one thread reads the next row's first value; the last
  // block reads behind the input.
  for (int i = t; i < columns; i += kThreads) sum += expf(row[i] - greatest);
  // MUTANT initialisation-skipped (none): the cells keep values of the first tree, of which all were written: a wrong
  // result in right order.
  cells[t] = sum;
  for (int width = kThreads / 2; width > 0; width /= 2) {
    __syncthreads();
    if (t < width) cells[t] += cells[t + width];
  }
  // MUTANT barrier-deleted (race): the others read the sum while thread 0 writes it.
  // MUTANT barrier-moved `1` (race): behind the read of the sum, it orders nothing that is needed.
  __syncthreads();
  const float whole = cells[0];
  for (int i = t; i < columns; i += kThreads) out[blockIdx.x * columns + i] = expf(row[i] - greatest) / whole;
}

int main() {
  constexpr int kBytes = kRows * kColumns * sizeof(float);
  std::vector<float> in(kRows * kColumns), out(kRows * kColumns);
  for (int i = 0; i < kRows * kColumns; ++i) in[i] = i % 17 * 0.25f;
  float *d_in = nullptr, *d_out = nullptr;
  cudaMalloc(&d_in, kBytes);
  cudaMalloc(&d_out, kBytes);
  cudaMemcpy(d_in, in.data(), kBytes, cudaMemcpyHostToDevice);
  softmax<<<kRows, kThreads>>>(d_in, d_out, kColumns);
  const cudaError_t error = cudaMemcpy(out.data(), d_out, kBytes, cudaMemcpyDeviceToHost);
  cudaFree(d_in);
  cudaFree(d_out);
  if (error != cudaSuccess) return 2;
  for (int row = 0; row < kRows; ++row) {
    double sum = 0;
    for (int i = 0; i < kColumns; ++i) sum += std::exp(static_cast<double>(in[row * kColumns + i]));
    for (int i = 0; i < kColumns; ++i) {
      const double expected = std::exp(static_cast<double>(in[row * kColumns + i])) / sum;
      if (!(std::abs(out[row * kColumns + i] - expected) <= 1e-5)) return 1;
    }
  }
  return 0;
}
