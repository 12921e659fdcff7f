// Memory in slices of rows: what cudaMalloc3D gives, cudaMemcpy3D copies and cudaMemset3D fills.
#include <algorithm>
#include <numeric>

#include "catch/catch.h"
#include "device.h"

using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::test;

namespace {

constexpr std::size_t kWidth = 100, kHeight = 6, kDepth = 5;

struct Volume {
  std::vector<unsigned char> bytes = std::vector<unsigned char>(kWidth * kHeight * kDepth);

  cudaPitchedPtr pitched() { return make_cudaPitchedPtr(bytes.data(), kWidth, kWidth, kHeight); }
  unsigned char& at(std::size_t x, std::size_t y, std::size_t z) { return bytes[(z * kHeight + y) * kWidth + x]; }
};

cudaMemcpy3DParms copy(cudaPitchedPtr to, cudaPitchedPtr from, cudaExtent extent, cudaMemcpyKind kind) {
  cudaMemcpy3DParms parameters = {};
  parameters.dstPtr = to;
  parameters.srcPtr = from;
  parameters.extent = extent;
  parameters.kind = kind;
  return parameters;
}

}  // namespace

TEST_CASE("a volume goes to the device and back, whole and in part") {
  Device device;
  Volume in, out;
  std::iota(in.bytes.begin(), in.bytes.end(), static_cast<unsigned char>(1));
  const cudaExtent whole = make_cudaExtent(kWidth, kHeight, kDepth);
  cudaPitchedPtr memory = {};
  REQUIRE(cudaMalloc3D(&memory, whole) == cudaSuccess);
  CHECK(memory.pitch == 512);
  CHECK(memory.xsize == kWidth);
  CHECK(memory.ysize == kHeight);
  const cudaMemcpy3DParms there = copy(memory, in.pitched(), whole, cudaMemcpyHostToDevice);
  REQUIRE(cudaMemcpy3D(&there) == cudaSuccess);
  const cudaMemcpy3DParms back = copy(out.pitched(), memory, whole, cudaMemcpyDeviceToHost);
  REQUIRE(cudaMemcpy3DAsync(&back, nullptr) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(out.bytes == in.bytes);

  Volume expected = in;
  REQUIRE(cudaMemset3D(memory, 0, make_cudaExtent(7, 2, 3)) == cudaSuccess);
  for (std::size_t z = 0; z < 3; ++z)
    for (std::size_t y = 0; y < 2; ++y)
      for (std::size_t x = 0; x < 7; ++x) expected.at(x, y, z) = 0;
  cudaMemcpy3DParms part = copy(memory, in.pitched(), make_cudaExtent(10, 2, 2), cudaMemcpyHostToDevice);
  part.srcPos = make_cudaPos(20, 1, 0);
  part.dstPos = make_cudaPos(50, 3, 2);
  REQUIRE(cudaMemcpy3D(&part) == cudaSuccess);
  for (std::size_t z = 0; z < 2; ++z)
    for (std::size_t y = 0; y < 2; ++y)
      for (std::size_t x = 0; x < 10; ++x) expected.at(50 + x, 3 + y, 2 + z) = in.at(20 + x, 1 + y, z);
  REQUIRE(cudaMemcpy3D(&back) == cudaSuccess);
  CHECK(out.bytes == expected.bytes);

  cudaPitchedPtr second = {};
  REQUIRE(cudaMalloc3D(&second, whole) == cudaSuccess);
  cudaMemcpy3DPeerParms within = {};
  within.dstPtr = second;
  within.srcPtr = memory;
  within.extent = whole;
  REQUIRE(cudaMemcpy3DPeer(&within) == cudaSuccess);
  const cudaMemcpy3DParms second_back = copy(out.pitched(), second, whole, cudaMemcpyDefault);
  std::fill(out.bytes.begin(), out.bytes.end(), static_cast<unsigned char>(0));
  REQUIRE(cudaMemcpy3D(&second_back) == cudaSuccess);
  CHECK(out.bytes == expected.bytes);
  CHECK(cudaFree(memory.ptr) == cudaSuccess);
  CHECK(cudaFree(second.ptr) == cudaSuccess);
  CHECK(device.finish().findings.empty());
}

TEST_CASE("a volume that does not fit, or whose array is none, is refused") {
  Device device;
  Volume in;
  const cudaExtent whole = make_cudaExtent(kWidth, kHeight, kDepth);
  cudaPitchedPtr memory = {};
  REQUIRE(cudaMalloc3D(&memory, whole) == cudaSuccess);
  cudaMemcpy3DParms parameters = copy(memory, in.pitched(), whole, cudaMemcpyHostToDevice);
  CHECK(cudaMemcpy3D(nullptr) == cudaErrorInvalidValue);
  parameters.srcPos = make_cudaPos(1, 0, 0);  // a row would reach into the next
  CHECK(cudaMemcpy3D(&parameters) == cudaErrorInvalidValue);
  parameters.srcPos = make_cudaPos(0, 1, 0);  // a slice would reach into the next
  CHECK(cudaMemcpy3D(&parameters) == cudaErrorInvalidValue);
  parameters.srcPos = make_cudaPos(0, 0, 0);
  parameters.extent.depth = kDepth + 1;  // beyond the allocation
  parameters.srcPtr.ptr = memory.ptr;
  parameters.srcPtr.pitch = memory.pitch;
  parameters.kind = cudaMemcpyDeviceToDevice;
  CHECK(cudaMemcpy3D(&parameters) == cudaErrorInvalidValue);
  parameters.extent.depth = 0;
  CHECK(cudaMemcpy3D(&parameters) == cudaSuccess);
  parameters.extent.depth = 1;
  parameters.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&parameters) == cudaErrorInvalidValue);
  CHECK(cudaMemset3D(memory, 1, make_cudaExtent(513, 1, 1)) == cudaErrorInvalidValue);
  CHECK(cudaMalloc3D(nullptr, whole) == cudaErrorInvalidValue);
  CHECK(cudaMalloc3D(&memory, make_cudaExtent(1, ~std::size_t{0}, 2)) == cudaErrorMemoryAllocation);
  CHECK_FALSE(has_finding(device.finish(), "unsupported-call"));

  Device other;
  parameters.srcArray = reinterpret_cast<cudaArray_t>(&parameters);
  CHECK(cudaMemcpy3D(&parameters) == cudaErrorInvalidResourceHandle);
  CHECK(other.finish().protocol_error.empty());
}
