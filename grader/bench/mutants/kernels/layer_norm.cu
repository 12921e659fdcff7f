// Normalises rows, a warp a row, with mean and variance by butterflies. Right, because all 32 lanes take part in each
// exchange, so all have the same sums, and no lane reads what another one wrote.
#include <cuda_runtime.h>

#include <cmath>
#include <vector>

constexpr int kRows = 20, kColumns = 96, kWarps = 4;

__device__ float sum_of_warp(float value) {
  // MUTANT mask-changed `0xffffffffu` -> `0x55555555u` (barrier): odd lanes shuffle with a mask that does not name
  // them.
  for (int distance = 1; distance < 32; distance *= 2) value += __shfl_xor_sync(0xffffffffu, value, distance);
  return value;
}

__global__ void normalise(const float* in, float* out, const float* scale, int rows, int columns) {
  const int row = blockIdx.x * kWarps + threadIdx.y, lane = threadIdx.x;
  // MUTANT off-by-one `row < rows` -> `row <= rows` (none): 20 rows are five blocks of four warps, so no warp has row
  // 20.
  if (row < rows) {
    const float* from = in + row * columns;
    float sum = 0.0f, squares = 0.0f;
    // MUTANT off-by-one `i < columns` -> `i <= columns` (bounds): lane 0 reads a place more, for the last row behind
    // the input.
    for (int i = lane; i < columns; i += 32) sum += from[i];
    // MUTANT shuffle-guarded `sum_of_warp(sum)` -> `(lane < 16 ? sum_of_warp(sum) : sum)` (barrier): half of the lanes
    // that the mask names do not come.
    const float mean = sum_of_warp(sum) / columns;
    for (int i = lane; i < columns; i += 32) squares += (from[i] - mean) * (from[i] - mean);
    const float factor = rsqrtf(sum_of_warp(squares) / columns + 1e-5f);
    // MUTANT index-swapped `scale[i]` -> `scale[i + row]` (bounds): with row 1 and above the index passes 95.
    for (int i = lane; i < columns; i += 32) out[row * columns + i] = (from[i] - mean) * factor * scale[i];
  }
}

int main() {
  constexpr int kBytes = kRows * kColumns * sizeof(float);
  std::vector<float> in(kRows * kColumns), out(kRows * kColumns), scale(kColumns);
  for (int i = 0; i < kRows * kColumns; ++i) in[i] = i * 7 % 31;
  for (int i = 0; i < kColumns; ++i) scale[i] = 1 + i % 3;
  float *d_in = nullptr, *d_out = nullptr, *d_scale = nullptr;
  cudaMalloc(&d_in, kBytes);
  cudaMalloc(&d_out, kBytes);
  cudaMalloc(&d_scale, kColumns * sizeof(float));
  cudaMemcpy(d_in, in.data(), kBytes, cudaMemcpyHostToDevice);
  // MUTANT copy-shortened (uninitialised): the second half of the factors is never written.
  cudaMemcpy(d_scale, scale.data(), kColumns * sizeof(float), cudaMemcpyHostToDevice);
  normalise<<<kRows / kWarps, dim3(32, kWarps)>>>(d_in, d_out, d_scale, kRows, kColumns);
  const cudaError_t error = cudaMemcpy(out.data(), d_out, kBytes, cudaMemcpyDeviceToHost);
  cudaFree(d_in);
  cudaFree(d_out);
  cudaFree(d_scale);
  if (error != cudaSuccess) return 2;
  for (int row = 0; row < kRows; ++row) {
    double sum = 0, squares = 0;
    for (int i = 0; i < kColumns; ++i) sum += in[row * kColumns + i];
    for (int i = 0; i < kColumns; ++i) squares += std::pow(in[row * kColumns + i] - sum / kColumns, 2);
    for (int i = 0; i < kColumns; ++i) {
      const double expected =
          (in[row * kColumns + i] - sum / kColumns) / std::sqrt(squares / kColumns + 1e-5) * scale[i];
      if (!(std::abs(out[row * kColumns + i] - expected) <= 1e-3)) return 1;
    }
  }
  return 0;
}
