// Arrays, and objects for textures and surfaces: what calls accept, and what arrays hold.
#include <numeric>
#include <vector>

#include "catch/catch.h"
#include "device.h"

using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::test;

namespace {

const cudaChannelFormatDesc kFloats = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
constexpr std::size_t kRow = 8 * sizeof(float);

cudaArray_t array(std::size_t width, std::size_t height, unsigned int flags = 0) {
  cudaArray_t made = nullptr;
  REQUIRE(cudaMallocArray(&made, &kFloats, width, height, flags) == cudaSuccess);
  return made;
}

cudaResourceDesc resource_of(cudaArray_t of) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = of;
  return resource;
}

}  // namespace

TEST_CASE("an array keeps its shape and its texels") {
  Device device;
  const cudaArray_t made = array(8, 4);
  cudaChannelFormatDesc format = {};
  cudaExtent extent = {};
  unsigned int flags = 1;
  REQUIRE(cudaArrayGetInfo(&format, &extent, &flags, made) == cudaSuccess);
  CHECK(format.x == 32);
  CHECK(format.f == cudaChannelFormatKindFloat);
  CHECK(extent.width == 8);
  CHECK(extent.height == 4);
  CHECK(extent.depth == 0);
  CHECK(flags == 0);
  std::vector<float> in(32), out(32);
  std::iota(in.begin(), in.end(), 1.0F);
  REQUIRE(cudaMemcpy2DToArray(made, 0, 0, in.data(), kRow, kRow, 4, cudaMemcpyHostToDevice) == cudaSuccess);
  REQUIRE(cudaMemcpy2DFromArray(out.data(), kRow, made, 0, 0, kRow, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(out == in);
  const float part[2] = {70, 71};
  REQUIRE(cudaMemcpy2DToArray(made, 4, 2, part, 8, 8, 1, cudaMemcpyHostToDevice) == cudaSuccess);
  REQUIRE(cudaMemcpyFromArray(out.data(), made, 0, 0, 4 * kRow, cudaMemcpyDeviceToHost) == cudaSuccess);
  in[17] = 70;
  in[18] = 71;
  CHECK(out == in);
  CHECK(cudaFreeArray(made) == cudaSuccess);
  CHECK(cudaFreeArray(made) == cudaErrorInvalidResourceHandle);
  CHECK(cudaFreeArray(nullptr) == cudaSuccess);
}

TEST_CASE("copies to an array stay inside it") {
  Device device;
  const cudaArray_t made = array(8, 4);
  std::vector<float> in(64);
  const auto copy = [&](std::size_t x, std::size_t y, std::size_t width, std::size_t height) {
    return cudaMemcpy2DToArray(made, x, y, in.data(), 64, width, height, cudaMemcpyHostToDevice);
  };
  CHECK(copy(0, 0, kRow, 4) == cudaSuccess);
  CHECK(copy(4, 0, kRow, 1) == cudaErrorInvalidValue);
  CHECK(copy(0, 1, kRow, 4) == cudaErrorInvalidValue);
  CHECK(copy(2, 0, 4, 1) == cudaErrorInvalidValue);
  CHECK(cudaMemcpyToArray(made, 0, 1, in.data(), 3 * kRow, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpyToArray(made, 0, 1, in.data(), 3 * kRow + 4, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy2DToArray(nullptr, 0, 0, in.data(), 64, 4, 1, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidResourceHandle);
  CHECK(cudaFreeArray(made) == cudaSuccess);
}

TEST_CASE("a volume of texels is copied by their number") {
  Device device;
  cudaArray_t made = nullptr;
  REQUIRE(cudaMalloc3DArray(&made, &kFloats, make_cudaExtent(4, 3, 2), 0) == cudaSuccess);
  std::vector<float> in(24), out(24);
  std::iota(in.begin(), in.end(), 1.0F);
  cudaMemcpy3DParms there = {};
  there.srcPtr = make_cudaPitchedPtr(in.data(), 16, 4, 3);
  there.dstArray = made;
  there.extent = make_cudaExtent(4, 3, 2);
  there.kind = cudaMemcpyHostToDevice;
  REQUIRE(cudaMemcpy3D(&there) == cudaSuccess);
  cudaMemcpy3DParms back = {};
  back.srcArray = made;
  back.srcPos = make_cudaPos(1, 1, 1);
  back.dstPtr = make_cudaPitchedPtr(out.data(), 16, 4, 3);
  back.extent = make_cudaExtent(2, 2, 1);
  back.kind = cudaMemcpyDeviceToHost;
  REQUIRE(cudaMemcpy3D(&back) == cudaSuccess);
  CHECK(out[0] == in[17]);
  CHECK(out[1] == in[18]);
  CHECK(out[4] == in[21]);
  there.extent.width = 5;
  CHECK(cudaMemcpy3D(&there) == cudaErrorInvalidValue);
  CHECK(cudaFreeArray(made) == cudaSuccess);
}

TEST_CASE("what is no array of texels is refused") {
  Device device;
  cudaArray_t made = nullptr;
  const cudaChannelFormatDesc three = cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat);
  const cudaChannelFormatDesc mixed = cudaCreateChannelDesc(8, 16, 0, 0, cudaChannelFormatKindUnsigned);
  CHECK(cudaMallocArray(&made, &three, 8, 8) == cudaErrorInvalidChannelDescriptor);
  CHECK(cudaMallocArray(&made, &mixed, 8, 8) == cudaErrorInvalidChannelDescriptor);
  CHECK(cudaMallocArray(&made, &kFloats, 0, 8) == cudaErrorInvalidValue);
  CHECK(cudaMallocArray(&made, nullptr, 8, 8) == cudaErrorInvalidValue);
  const auto possible = [&](std::size_t width, std::size_t height, std::size_t depth, unsigned int flags) {
    const bool made_one =
        cudaMalloc3DArray(&made, &kFloats, make_cudaExtent(width, height, depth), flags) == cudaSuccess;
    if (made_one) CHECK(cudaFreeArray(made) == cudaSuccess);
    return made_one;
  };
  CHECK(possible(8, 0, 3, cudaArrayLayered));
  CHECK(possible(8, 4, 2048, cudaArrayLayered));
  CHECK_FALSE(possible(8, 4, 0, cudaArrayLayered));
  CHECK_FALSE(possible(8, 4, 2049, cudaArrayLayered));
  CHECK_FALSE(possible(8, 0, 3, 0));
  CHECK(possible(8, 8, 6, cudaArrayCubemap));
  CHECK_FALSE(possible(8, 4, 6, cudaArrayCubemap));
  CHECK_FALSE(possible(8, 8, 12, cudaArrayCubemap));
  CHECK(possible(8, 8, 12, cudaArrayCubemap | cudaArrayLayered));
  CHECK_FALSE(possible(8, 8, 13, cudaArrayCubemap | cudaArrayLayered));
  CHECK(cudaMallocArray(&made, &kFloats, 8, 8, cudaArraySparse) == cudaErrorNotSupported);
  CHECK(has_finding(device.finish(), "unsupported-call"));
}

TEST_CASE("texture and surface objects come and go, and tell what they are of") {
  Device device;
  const cudaArray_t plain = array(8, 4), written = array(8, 4, cudaArraySurfaceLoadStore);
  cudaResourceDesc resource = resource_of(plain), told = {};
  cudaTextureDesc description = {}, described = {};
  description.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t texture = 0;
  cudaSurfaceObject_t surface = 0;
  REQUIRE(cudaCreateTextureObject(&texture, &resource, &description, nullptr) == cudaSuccess);
  CHECK(texture != 0);
  REQUIRE(cudaGetTextureObjectResourceDesc(&told, texture) == cudaSuccess);
  CHECK(told.res.array.array == plain);
  REQUIRE(cudaGetTextureObjectTextureDesc(&described, texture) == cudaSuccess);
  CHECK(described.filterMode == cudaFilterModeLinear);
  CHECK(cudaCreateSurfaceObject(&surface, &resource) == cudaErrorInvalidValue);
  resource = resource_of(written);
  REQUIRE(cudaCreateSurfaceObject(&surface, &resource) == cudaSuccess);
  CHECK(cudaDestroyTextureObject(surface) == cudaErrorInvalidResourceHandle);
  CHECK(cudaDestroySurfaceObject(surface) == cudaSuccess);
  CHECK(cudaDestroyTextureObject(texture) == cudaSuccess);
  CHECK(cudaDestroyTextureObject(texture) == cudaErrorInvalidResourceHandle);
  CHECK(cudaFreeArray(plain) == cudaSuccess);
  CHECK(cudaFreeArray(written) == cudaSuccess);
}

TEST_CASE("a texture of linear memory lies inside an allocation") {
  Device device;
  void* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 256) == cudaSuccess);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = kFloats;
  resource.res.linear.sizeInBytes = 256;
  cudaTextureDesc description = {};
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr) == cudaSuccess);
  CHECK(cudaDestroyTextureObject(texture) == cudaSuccess);
  resource.res.linear.sizeInBytes = 260;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr) == cudaErrorInvalidValue);
  resource.res.linear.sizeInBytes = 256;
  resource.res.linear.desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
  description.readMode = cudaReadModeNormalizedFloat;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr) == cudaErrorInvalidNormSetting);
  description = {};
  description.sRGB = 1;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr) == cudaErrorNotSupported);
  CHECK(cudaFree(memory) == cudaSuccess);
}

TEST_CASE("a texture of memory begins where a GPU could read it") {
  Device device;
  void* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 4096) == cudaSuccess);
  const auto status_of = [](const cudaResourceDesc& resource) {
    const cudaTextureDesc description = {};
    cudaTextureObject_t texture = 0;
    const cudaError_t status = cudaCreateTextureObject(&texture, &resource, &description, nullptr);
    CHECK(cudaDestroyTextureObject(texture) == cudaSuccess);
    return status;
  };
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.desc = kFloats;
  resource.res.linear.sizeInBytes = 256;
  for (const std::size_t offset : {4, 32, 256}) {
    CAPTURE(offset);
    resource.res.linear.devPtr = static_cast<char*>(memory) + offset;
    CHECK(status_of(resource) == cudaErrorInvalidValue);
  }
  resource.res.linear.devPtr = static_cast<char*>(memory) + 512;
  CHECK(status_of(resource) == cudaSuccess);
  resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = memory;
  resource.res.pitch2D.desc = kFloats;
  resource.res.pitch2D.width = 5;
  resource.res.pitch2D.height = 3;
  resource.res.pitch2D.pitchInBytes = 20;
  CHECK(status_of(resource) == cudaErrorInvalidValue);
  resource.res.pitch2D.pitchInBytes = 32;
  CHECK(status_of(resource) == cudaSuccess);
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, nullptr, nullptr) == cudaErrorInvalidResourceHandle);
  CHECK(cudaFree(memory) == cudaSuccess);
}
