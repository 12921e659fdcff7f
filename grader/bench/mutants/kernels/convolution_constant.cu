// A 1-D convolution with its weights in constant memory. Right, because the weights are copied before the launch,
// constant memory is only read, and indices outside of the input are left out.
#include <cuda_runtime.h>

#include <vector>

constexpr int kCount = 1000, kRadius = 4, kWeights = 2 * kRadius + 1;

__constant__ float weights[kWeights];

__global__ void convolve(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // MUTANT guard-dropped (bounds): threads from 1000 on write behind the array.
  if (i >= n) return;
  float sum = 0.0f;
  // MUTANT off-by-one `k <= kRadius` -> `k <= kRadius + 1` (bounds): weights[9] does not exist.
  for (int k = -kRadius; k <= kRadius; ++k) {
    const int at = i + k;
    // MUTANT guard-dropped (bounds): the first threads read before the array, the last ones behind it.
    // MUTANT guard-dropped `at >= 0 && at < n` -> `at < n` (bounds): in[-4] to in[-1] do not exist.
    // MUTANT off-by-one `at < n` -> `at <= n` (bounds): in[1000] does not exist.
    if (at >= 0 && at < n) sum += weights[k + kRadius] * in[at];
  }
  out[i] = sum;
}

int main() {
  std::vector<float> in(kCount), out(kCount), w(kWeights);
  for (int i = 0; i < kCount; ++i) in[i] = i % 7;
  for (int i = 0; i < kWeights; ++i) w[i] = i + 1;
  float *d_in = nullptr, *d_out = nullptr;
  cudaMalloc(&d_in, kCount * sizeof(float));
  cudaMalloc(&d_out, kCount * sizeof(float));
  cudaMemcpy(d_in, in.data(), kCount * sizeof(float), cudaMemcpyHostToDevice);
  // MUTANT initialisation-skipped (none): constant memory without an initialiser begins as zeros, so the result is
  // wrong, but every byte has a value.
  cudaMemcpyToSymbol(weights, w.data(), kWeights * sizeof(float));
  convolve<<<(kCount + 127) / 128, 128>>>(d_in, d_out, kCount);
  const cudaError_t error = cudaMemcpy(out.data(), d_out, kCount * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(d_in);
  cudaFree(d_out);
  if (error != cudaSuccess) return 2;
  for (int i = 0; i < kCount; ++i) {
    float sum = 0.0f;
    for (int k = -kRadius; k <= kRadius; ++k) sum += i + k >= 0 && i + k < kCount ? w[k + kRadius] * in[i + k] : 0.0f;
    if (out[i] != sum) return 1;
  }
  return 0;
}
