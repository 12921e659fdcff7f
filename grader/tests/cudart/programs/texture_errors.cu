// Mistakes with textures and surfaces, one a run: its number is the argument.
#include <cuda_runtime.h>

#include <vector>

#include "check.h"

namespace {

constexpr int kWidth = 8, kHeight = 4;

__global__ void write(cudaSurfaceObject_t surface, int columns) {
  const int x = static_cast<int>(blockIdx.x), y = static_cast<int>(threadIdx.x);
  if (x < columns) surf2Dwrite(1.0f, surface, x * 4, y);  // outside
}

__global__ void overwrite(cudaSurfaceObject_t surface) {
  surf2Dwrite(static_cast<float>(threadIdx.x), surface, 0, static_cast<int>(blockIdx.x) / 2);  // races
}

/// Coordinates in x are bytes; an address between two texels is wrong in every boundary mode.
__global__ void write_between(cudaSurfaceObject_t surface) {
  surf2Dwrite(1.0f, surface, -1, 0, cudaBoundaryModeClamp);  // between
}

__global__ void read(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex2D<float>(texture, static_cast<float>(threadIdx.x) + 0.5f, 0.5f);  // texel
}

}  // namespace

int main(int, char** arguments) {
  const int mistake = std::atoi(arguments[1]);
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  CHECK(cudaMallocArray(&array, &floats, kWidth, kHeight, cudaArraySurfaceLoadStore));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  cudaTextureObject_t texture = 0;
  cudaSurfaceObject_t surface = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  CHECK(cudaCreateSurfaceObject(&surface, &resource));
  float* out = nullptr;
  CHECK(cudaMalloc(&out, kWidth * sizeof(float)));
  const bool written = mistake != 2;
  const std::vector<float> zeros(kWidth * kHeight);
  if (written)
    CHECK(cudaMemcpy2DToArray(array, 0, 0, zeros.data(), kWidth * 4, kWidth * 4, kHeight, cudaMemcpyHostToDevice));
  if (mistake == 3) CHECK(cudaFreeArray(array));  // freed
  if (mistake == 4) CHECK(cudaDestroyTextureObject(texture));
  if (mistake == 0) write<<<kWidth + 1, kHeight>>>(surface, kWidth + 1);
  if (mistake == 1) overwrite<<<4, 1>>>(surface);
  if (mistake == 5) write_between<<<1, 1>>>(surface);
  if (mistake >= 2 && mistake <= 4) read<<<1, kWidth>>>(texture, out);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
