// A 2-D convolution with dynamic shared memory: the tile and its halo first, then the weights. Right, because the
// launch asks for enough, each cell is written by one thread, and the barrier stands before the reads.
#include <cuda_runtime.h>

#include <vector>

constexpr int kWidth = 40, kHeight = 30, kRadius = 2, kTile = 16, kAcross = kTile + 2 * kRadius;
constexpr int kSide = 2 * kRadius + 1, kWeights = kSide * kSide,
              kSharedBytes = (kAcross * kAcross + kWeights) * sizeof(int);

__global__ void convolve(const int* in, const int* weights, int* out) {
  extern __shared__ int shared[];
  int *tile = shared, *w = shared + kAcross * kAcross;
  const int t = threadIdx.y * kTile + threadIdx.x;
  const int left = static_cast<int>(blockIdx.x) * kTile - kRadius, top = static_cast<int>(blockIdx.y) * kTile - kRadius;
  for (int i = t; i < kAcross * kAcross; i += kTile * kTile) {
    const int x = left + i % kAcross, y = top + i / kAcross;
    // MUTANT off-by-one `y < kHeight` -> `y <= kHeight` (bounds): row 30 begins behind the array.
    tile[i] = x >= 0 && x < kWidth && y >= 0 && y < kHeight ? in[y * kWidth + x] : 0;
  }
  // MUTANT initialisation-skipped (uninitialised): the weights in shared memory have no value.
  // MUTANT guard-dropped (bounds): 256 threads read 25 weights.
  if (t < kWeights) w[t] = weights[t];
  // MUTANT barrier-deleted (race): cells and weights come from other warps.
  // MUTANT barrier-weakened (race): the weights were written by the first warp.
  // MUTANT barrier-duplicated (none): nothing new is ordered.
  // MUTANT barrier-guarded `t < kWeights` (barrier|race): 231 threads do not reach it.
  __syncthreads();
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  // MUTANT guard-dropped (bounds|race): a place behind the end of a row belongs to the next row, and the last rows to
  // nobody.
  if (x >= kWidth || y >= kHeight) return;
  int sum = 0;
  for (int i = 0; i < kWeights; ++i) sum += w[i] * tile[(threadIdx.y + i / kSide) * kAcross + threadIdx.x + i % kSide];
  out[y * kWidth + x] = sum;
}

int main() {
  constexpr int kBytes = kWidth * kHeight * sizeof(int);
  std::vector<int> in(kWidth * kHeight), out(kWidth * kHeight), w(kWeights);
  for (int i = 0; i < kWidth * kHeight; ++i) in[i] = i % 7;
  for (int i = 0; i < kWeights; ++i) w[i] = i + 1;
  int *d_in = nullptr, *d_w = nullptr, *d_out = nullptr;
  cudaMalloc(&d_in, kBytes);
  cudaMalloc(&d_w, kWeights * sizeof(int));
  cudaMalloc(&d_out, kBytes);
  cudaMemcpy(d_in, in.data(), kBytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_w, w.data(), kWeights * sizeof(int), cudaMemcpyHostToDevice);
  const dim3 threads(kTile, kTile), blocks((kWidth + kTile - 1) / kTile, (kHeight + kTile - 1) / kTile);
  // MUTANT allocation-shortened `kSharedBytes` -> `kAcross * kAcross * sizeof(int)` (bounds): no room is left for the
  // weights.
  convolve<<<blocks, threads, kSharedBytes>>>(d_in, d_w, d_out);
  const cudaError_t error = cudaMemcpy(out.data(), d_out, kBytes, cudaMemcpyDeviceToHost);
  cudaFree(d_in);
  cudaFree(d_w);
  cudaFree(d_out);
  if (error != cudaSuccess) return 2;
  for (int i = 0; i < kWidth * kHeight; ++i) {
    int sum = 0;
    for (int k = 0; k < kWeights; ++k) {
      const int x = i % kWidth + k % kSide - kRadius, y = i / kWidth + k / kSide - kRadius;
      if (x >= 0 && x < kWidth && y >= 0 && y < kHeight) sum += w[k] * in[y * kWidth + x];
    }
    if (out[i] != sum) return 1;
  }
  return 0;
}
