// Textures of arrays and of linear memory, and surfaces: what kernels read and write through them.
#include <cuda_runtime.h>

#include <cmath>
#include <vector>

#include "check.h"

namespace {

constexpr int kWidth = 8, kHeight = 4, kTexels = kWidth * kHeight;

__global__ void read_texels(cudaTextureObject_t texture, float* out) {
  const int i = static_cast<int>(threadIdx.x);
  out[i] = tex2D<float>(texture, static_cast<float>(i % kWidth) + 0.75f, static_cast<float>(i / kWidth) + 0.5f);
}

__global__ void read_linear(cudaTextureObject_t texture, int* out) {
  const int i = static_cast<int>(threadIdx.x);
  const int2 pair = tex1Dfetch<int2>(texture, i - 1);
  out[2 * i] = pair.x;
  out[2 * i + 1] = pair.y;
}

__global__ void read_bytes(cudaTextureObject_t texture, float4* out) {
  const float x = (static_cast<float>(threadIdx.x) + 0.5f) / 4.0f;
  out[threadIdx.x] = tex1D<float4>(texture, x);
}

__global__ void read_volume(cudaTextureObject_t texture, float* out) {
  *out = tex3D<float>(texture, 1.0f, 1.0f, 1.0f);
}

__global__ void add_to_surface(cudaSurfaceObject_t surface) {
  const int x = static_cast<int>(threadIdx.x % kWidth) * 4, y = static_cast<int>(threadIdx.x / kWidth);
  float value;
  surf2Dread(&value, surface, x, y);
  surf2Dwrite(value + 100.0f, surface, x, y);
  // Outside nothing is written, and zeros or the edge are read.
  float zero, edge = value + 100.0f;
  surf2Dread(&zero, surface, kWidth * 4, y, cudaBoundaryModeZero);
  if (x == 0) surf2Dread(&edge, surface, -4, y, cudaBoundaryModeClamp);
  if (zero != 0 || edge != value + 100.0f) surf2Dwrite(-1.0f, surface, x, y);
  surf2Dwrite(-2.0f, surface, x, kHeight, cudaBoundaryModeZero);
}

bool is(float value, float expected) {
  return std::fabs(value - expected) < 1e-6f;
}

}  // namespace

int main() {
  std::vector<float> numbers(kTexels);
  for (int i = 0; i < kTexels; ++i) numbers[i] = static_cast<float>(i);
  float* out = nullptr;
  CHECK(cudaMalloc(&out, 64 * sizeof(float)));

  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  CHECK(cudaMallocArray(&array, &floats, kWidth, kHeight, cudaArraySurfaceLoadStore));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, numbers.data(), kWidth * 4, kWidth * 4, kHeight, cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] = description.addressMode[2] = cudaAddressModeClamp;
  description.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  read_texels<<<1, kTexels>>>(texture, out);
  std::vector<float> read(64);
  CHECK(cudaMemcpy(read.data(), out, kTexels * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < kTexels; ++i) {
    const float expected = static_cast<float>(i) + (i % kWidth == kWidth - 1 ? 0.0f : 0.25f);
    if (!is(read[i], expected)) std::printf("texel %d: %g\n", i, read[i]);
  }
  CHECK(cudaDestroyTextureObject(texture));

  cudaSurfaceObject_t surface = 0;
  CHECK(cudaCreateSurfaceObject(&surface, &resource));
  add_to_surface<<<1, kTexels>>>(surface);
  CHECK(cudaMemcpy2DFromArray(read.data(), kWidth * 4, array, 0, 0, kWidth * 4, kHeight, cudaMemcpyDeviceToHost));
  for (int i = 0; i < kTexels; ++i)
    if (!is(read[i], static_cast<float>(i) + 100)) std::printf("surface %d: %g\n", i, read[i]);
  CHECK(cudaDestroySurfaceObject(surface));
  CHECK(cudaFreeArray(array));

  const cudaChannelFormatDesc bytes = cudaCreateChannelDesc<uchar4>();
  const unsigned char colours[16] = {0, 51, 102, 255, 1, 2, 3, 4, 5, 6, 7, 8, 255, 255, 255, 0};
  CHECK(cudaMallocArray(&array, &bytes, 4, 0));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, colours, 16, 16, 1, cudaMemcpyHostToDevice));
  resource.res.array.array = array;
  description = {};
  description.readMode = cudaReadModeNormalizedFloat;
  description.normalizedCoords = 1;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  read_bytes<<<1, 8>>>(texture, reinterpret_cast<float4*>(out));  // threads from 4 on wrap
  CHECK(cudaMemcpy(read.data(), out, 32 * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i)
    if (!is(read[i], static_cast<float>(colours[i % 16]) / 255.0f)) std::printf("colour %d: %g\n", i, read[i]);
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeArray(array));

  CHECK(cudaMalloc3DArray(&array, &floats, make_cudaExtent(2, 2, 2)));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(numbers.data(), 8, 2, 2);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(2, 2, 2);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  resource.res.array.array = array;
  description = {};
  description.filterMode = cudaFilterModeLinear;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  read_volume<<<1, 1>>>(texture, out);
  CHECK(cudaMemcpy(read.data(), out, sizeof(float), cudaMemcpyDeviceToHost));
  if (!is(read[0], 3.5f)) std::printf("volume: %g\n", read[0]);
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeArray(array));

  int* pairs = nullptr;
  const int given[8] = {1, -2, 3, -4, 5, -6, 7, -8};
  CHECK(cudaMalloc(&pairs, sizeof given));
  CHECK(cudaMemcpy(pairs, given, sizeof given, cudaMemcpyHostToDevice));
  resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = pairs;
  resource.res.linear.desc = cudaCreateChannelDesc<int2>();
  resource.res.linear.sizeInBytes = sizeof given;
  description = {};
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  read_linear<<<1, 6>>>(texture, reinterpret_cast<int*>(out));  // the first and the last thread read zeros
  int fetched[12];
  CHECK(cudaMemcpy(fetched, out, sizeof fetched, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 12; ++i) {
    const int expected = i < 2 || i >= 10 ? 0 : given[i - 2];
    if (fetched[i] != expected) std::printf("fetch %d: %d\n", i, fetched[i]);
  }
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFree(pairs));
  CHECK(cudaFree(out));
  std::printf("right\n");
}
