// Calls that the session makes fail, counted by their kind.
#include <array>

#include "catch/catch.h"
#include "device.h"

using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::test;

namespace {

Device failing(SessionFaults faults) {
  return Device(device_model("t4"), {}, faults);
}

}  // namespace

TEST_CASE("the copy that is to fail fails once, and moves nothing") {
  Device device = failing({.copy = 2});
  std::array<int, 4> first{1, 2, 3, 4}, second{5, 6, 7, 8}, back{};
  void* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, sizeof first) == cudaSuccess);
  CHECK(cudaMemcpy(memory, first.data(), sizeof first, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpy(memory, second.data(), sizeof second, cudaMemcpyHostToDevice) == cudaErrorMemoryAllocation);
  CHECK(cudaMemcpy(back.data(), memory, sizeof back, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(back == first);
  CHECK(cudaFree(memory) == cudaSuccess);
}

TEST_CASE("a copy to the host counts as one to the device does") {
  Device device = failing({.copy = 2});
  std::array<int, 4> data{1, 2, 3, 4}, back{};
  void* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, sizeof data) == cudaSuccess);
  CHECK(cudaMemcpyAsync(memory, data.data(), sizeof data, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpyAsync(back.data(), memory, sizeof back, cudaMemcpyDeviceToHost) == cudaErrorMemoryAllocation);
  CHECK(back == std::array<int, 4>{});
  CHECK(cudaMemcpy(back.data(), memory, sizeof back, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(back == data);
  CHECK(cudaFree(memory) == cudaSuccess);
}

TEST_CASE("copies within the device, fills, empty copies and refused ones do not count") {
  Device device = failing({.copy = 1});
  std::array<int, 8> data{1, 2, 3, 4, 5, 6, 7, 8};
  constexpr std::size_t kBytes = 4 * sizeof(int);
  void *one = nullptr, *other = nullptr;
  REQUIRE(cudaMalloc(&one, kBytes) == cudaSuccess);
  REQUIRE(cudaMalloc(&other, kBytes) == cudaSuccess);
  CHECK(cudaMemset(one, 0, kBytes) == cudaSuccess);
  CHECK(cudaMemcpy(other, one, kBytes, cudaMemcpyDeviceToDevice) == cudaSuccess);
  CHECK(cudaMemcpy(one, data.data(), 0, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpy(one, data.data(), 2 * kBytes, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(one, data.data(), kBytes, cudaMemcpyHostToDevice) == cudaErrorMemoryAllocation);
  CHECK(cudaMemcpy(one, data.data(), kBytes, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaFree(one) == cudaSuccess);
  CHECK(cudaFree(other) == cudaSuccess);
}
