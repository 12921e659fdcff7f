// Edges of a picture by Sobel's operator. Right, because the picture is only read, each pixel of the result has one
// thread, and neighbours outside are those on the border instead.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

constexpr int kWidth = 61, kHeight = 43, kBytes = kWidth * kHeight;

__global__ void sobel(const unsigned char* in, unsigned char* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  // MUTANT guard-dropped (race|bounds): a place behind the end of a row belongs to the next one, and there is none
  // behind the last.
  // MUTANT off-by-one `y >= height` -> `y > height` (bounds): row 43 of the result does not exist.
  if (x >= width || y >= height) return;
  // MUTANT guard-dropped `max(x - 1, 0)` -> `x - 1` (bounds): pixel (0, 0) reads in[-1].
  const int left = max(x - 1, 0), right = min(x + 1, width - 1);
  // MUTANT guard-dropped `min(y + 1, height - 1)` -> `(y + 1)` (bounds): row 43 of the picture does not exist.
  // MUTANT index-swapped `min(y + 1, height - 1)` -> `min(y + 1, width - 1)` (bounds): the picture is wider than it is
  // high.
  const int above = max(y - 1, 0) * width, below = min(y + 1, height - 1) * width;
  const int here = y * width;
  const int across = in[above + right] + 2 * in[here + right] + in[below + right] - in[above + left] -
                     2 * in[here + left] - in[below + left];
  const int down = in[below + left] + 2 * in[below + x] + in[below + right] - in[above + left] - 2 * in[above + x] -
                   in[above + right];
  out[here + x] = min(abs(across) + abs(down), 255);
}

int main() {
  std::vector<unsigned char> in(kBytes), out(kBytes);
  for (int i = 0; i < kBytes; ++i) in[i] = i * i % 253;
  unsigned char *d_in = nullptr, *d_out = nullptr;
  cudaMalloc(&d_in, kBytes);
  cudaMalloc(&d_out, kBytes);
  // MUTANT copy-shortened (uninitialised): the lower half of the picture is never written.
  cudaMemcpy(d_in, in.data(), kBytes, cudaMemcpyHostToDevice);
  const dim3 threads(16, 8), blocks((kWidth + 15) / 16, (kHeight + 7) / 8);
  sobel<<<blocks, threads>>>(d_in, d_out, kWidth, kHeight);
  const cudaError_t error = cudaMemcpy(out.data(), d_out, kBytes, cudaMemcpyDeviceToHost);
  cudaFree(d_in);
  // MUTANT free-duplicated (lifetime): the second call frees what is free already.
  cudaFree(d_out);
  if (error != cudaSuccess) return 2;
  const auto at = [&](int x, int y) {
    return static_cast<int>(in[std::clamp(y, 0, kHeight - 1) * kWidth + std::clamp(x, 0, kWidth - 1)]);
  };
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      int across = 0, down = 0;
      for (int k = -1; k <= 1; ++k) {
        across += (2 - k * k) * (at(x + 1, y + k) - at(x - 1, y + k));
        down += (2 - k * k) * (at(x + k, y + 1) - at(x + k, y - 1));
      }
      if (out[y * kWidth + x] != std::min(std::abs(across) + std::abs(down), 255)) return 1;
    }
  }
  return 0;
}
