// How large textures and surfaces are, as kernels may ask in PTX (`txq`, `suq`). Compiled by nvcc.
#include "check.h"

struct Size {
  unsigned width, height, depth;
};

template <bool kSurface>
__global__ void ask(unsigned long long object, Size* size) {
  if (kSurface) {
    asm volatile("suq.width.b32 %0, [%1];" : "=r"(size->width) : "l"(object));
    asm volatile("suq.height.b32 %0, [%1];" : "=r"(size->height) : "l"(object));
    asm volatile("suq.depth.b32 %0, [%1];" : "=r"(size->depth) : "l"(object));
  } else {
    asm volatile("txq.width.b32 %0, [%1];" : "=r"(size->width) : "l"(object));
    asm volatile("txq.height.b32 %0, [%1];" : "=r"(size->height) : "l"(object));
    asm volatile("txq.depth.b32 %0, [%1];" : "=r"(size->depth) : "l"(object));
  }
}

template <bool kSurface>
bool says(unsigned long long object, const Size& wanted) {
  Size* size = nullptr;
  CHECK(cudaMalloc(&size, sizeof(Size)));
  ask<kSurface><<<1, 1>>>(object, size);
  Size got{};
  CHECK(cudaMemcpy(&got, size, sizeof got, cudaMemcpyDefault));
  CHECK(cudaFree(size));
  return got.width == wanted.width && got.height == wanted.height && got.depth == wanted.depth;
}

bool texture_says(const cudaResourceDesc& resource, const Size& wanted) {
  const cudaTextureDesc description{};
  cudaTextureObject_t object = 0;
  CHECK(cudaCreateTextureObject(&object, &resource, &description, nullptr));
  const bool right = says<false>(object, wanted);
  CHECK(cudaDestroyTextureObject(object));
  return right;
}

template <class T>
void array(const char* name, cudaExtent extent, unsigned flags, const Size& wanted) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  CHECK(cudaMalloc3DArray(&resource.res.array.array, &format, extent, flags | cudaArraySurfaceLoadStore));
  cudaSurfaceObject_t surface = 0;
  CHECK(cudaCreateSurfaceObject(&surface, &resource));
  expect(texture_says(resource, wanted) && says<true>(surface, wanted), name);
  CHECK(cudaDestroySurfaceObject(surface));
  CHECK(cudaFreeArray(resource.res.array.array));
}

int main(int argc, char**) {
  if (argc > 1) {  // of an object that is destroyed
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    CHECK(cudaMallocArray(&resource.res.array.array, &format, 8, 4, cudaArraySurfaceLoadStore));
    cudaSurfaceObject_t surface = 0;
    CHECK(cudaCreateSurfaceObject(&surface, &resource));
    CHECK(cudaDestroySurfaceObject(surface));
    Size* size = nullptr;
    CHECK(cudaMalloc(&size, sizeof(Size)));
    ask<true><<<1, 1>>>(surface, size);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    std::_Exit(0);
  }
  array<float>("a line", {100, 0, 0}, 0, {100, 0, 0});
  array<float>("an image", {100, 30, 0}, 0, {100, 30, 0});
  array<uchar4>("bytes", {16, 8, 0}, 0, {16, 8, 0});
  array<float>("a volume", {20, 30, 10}, 0, {20, 30, 10});
  array<float>("lines in layers", {50, 0, 7}, cudaArrayLayered, {50, 0, 0});
  array<float>("images in layers", {50, 20, 7}, cudaArrayLayered, {50, 20, 0});
  array<float>("a cube", {32, 32, 6}, cudaArrayCubemap, {32, 32, 0});
  float* memory = nullptr;
  CHECK(cudaMalloc(&memory, 1 << 16));
  cudaResourceDesc linear{};
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear = {memory, cudaCreateChannelDesc<float>(), 1000 * sizeof(float)};
  expect(texture_says(linear, {1000, 0, 0}), "memory");
  cudaResourceDesc pitched{};
  pitched.resType = cudaResourceTypePitch2D;
  pitched.res.pitch2D = {memory, cudaCreateChannelDesc<float>(), 60, 20, 256};
  expect(texture_says(pitched, {60, 20, 0}), "rows of memory");
  CHECK(cudaFree(memory));
}
