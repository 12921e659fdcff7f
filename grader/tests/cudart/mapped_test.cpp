// Page-locked memory in kernels: what the host writes reaches them, what they write reaches the host when it has
// waited, and a host that does not wait is told.
#include <sys/mman.h>

#include <cstring>
#include <numeric>
#include <vector>

#include "catch/catch.h"
#include "device.h"

using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::test;

namespace {

constexpr int kMany = 1 << 18;

int* page_locked_ints(std::size_t count, unsigned int flags = cudaHostAllocDefault) {
  int* pointer = nullptr;
  REQUIRE(cudaHostAlloc(reinterpret_cast<void**>(&pointer), count * sizeof(int), flags) == cudaSuccess);
  return pointer;
}

/// Adds 1 to each of the ints, as the fake kernel `write` with a pointer and a count.
LaunchOutcome increase(fake::LaunchCall& call) {
  const auto at = call.parameter<std::uint64_t>(0);
  std::vector<int> values(call.parameter<std::uint32_t>(8));
  const auto bytes = std::as_writable_bytes(std::span(values));
  call.gpu.copy_out(bytes, at);
  for (int& value : values) ++value;
  call.gpu.copy_in(at, bytes);
  LaunchOutcome outcome;
  outcome.touched.writes.push_back({at, at + bytes.size()});
  return outcome;
}

void launch_increase(int* pointer, std::uint32_t count, cudaStream_t stream = nullptr) {
  launch_as_compiled(kernel("write"), 1, 1, {&pointer, &count}, 0, stream);
}

}  // namespace

TEST_CASE("kernels use page-locked memory by the host's pointer") {
  const KernelBody body("write", increase);
  Device device;
  int* const numbers = page_locked_ints(kMany, GENERATE(cudaHostAllocDefault, cudaHostAllocMapped));
  std::iota(numbers, numbers + kMany, 0);
  for (int round = 1; round <= 3; ++round) {
    launch_increase(numbers, kMany);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    long wrong = 0;
    for (int i = 0; i < kMany; ++i) wrong += numbers[i] != i + round;
    CHECK(wrong == 0);
  }
  numbers[kMany - 1] = 7;
  launch_increase(numbers, kMany);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(numbers[kMany - 1] == 8);
  CHECK(numbers[0] == 4);
  CHECK(cudaFreeHost(numbers) == cudaSuccess);
  CHECK(device.finish().findings.empty());
}

TEST_CASE("a host that touches what a kernel uses before it waits is told so") {
  const KernelBody body("write", increase);
  Device device;
  int* const numbers = page_locked_ints(kMany);
  std::memset(numbers, 0, kMany * sizeof(int));
  launch_increase(numbers, kMany / 2);
  numbers[kMany - 1] = 3;  // the kernel does not touch that
  const bool writes = GENERATE(false, true);
  CAPTURE(writes);
  if (writes) {
    numbers[5] = 9;
  } else {
    CHECK(numbers[5] == 1);
  }
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(numbers[6] == 1);
  CHECK(numbers[kMany - 1] == 3);
  CHECK(cudaFreeHost(numbers) == cudaSuccess);
  const ServerReport report = device.finish();
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].id == "host-race");
  CHECK(report.findings[0].message.find(writes ? "the host and `write` write" : "the host reads") != std::string::npos);
}

TEST_CASE("what one stream has written comes when that stream was waited for") {
  const KernelBody body("write", increase);
  Device device;
  cudaStream_t first = nullptr, second = nullptr;
  REQUIRE(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking) == cudaSuccess);
  REQUIRE(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking) == cudaSuccess);
  int* const numbers = page_locked_ints(kMany);
  std::memset(numbers, 0, kMany * sizeof(int));
  launch_increase(numbers, kMany / 2, first);
  launch_increase(numbers + kMany / 2, kMany / 2, second);
  REQUIRE(cudaStreamSynchronize(first) == cudaSuccess);
  CHECK(numbers[0] == 1);
  CHECK(numbers[kMany / 2 - 1] == 1);
  REQUIRE(cudaStreamSynchronize(second) == cudaSuccess);
  CHECK(numbers[kMany - 1] == 1);
  CHECK(cudaFreeHost(numbers) == cudaSuccess);
  CHECK(device.finish().findings.empty());
}

TEST_CASE("copies and fills of mapped memory are the device's, in the order of their stream") {
  const KernelBody body("write", increase);
  Device device;
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
  int *const numbers = page_locked_ints(1000), *const others = page_locked_ints(1000);
  std::memset(numbers, 0, 4000);
  void* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 4000) == cudaSuccess);
  launch_increase(numbers, 1000, stream);
  // Reads what the kernel writes, though the host has not got it.
  REQUIRE(cudaMemcpyAsync(memory, numbers, 4000, cudaMemcpyHostToDevice, stream) == cudaSuccess);
  REQUIRE(cudaMemcpyAsync(others, memory, 4000, cudaMemcpyDeviceToHost, stream) == cudaSuccess);
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(others[999] == 1);
  CHECK(numbers[999] == 1);
  REQUIRE(cudaMemset(numbers, 0, 2000) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(numbers[499] == 0);
  CHECK(numbers[500] == 1);
  REQUIRE(cudaMemcpy(others, memory, 4000, cudaMemcpyDeviceToDevice) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(others[0] == 1);
  int* const mine = numbers;
  std::vector<int> copy(1000);
  REQUIRE(cudaMemcpy(copy.data(), mine, 4000, cudaMemcpyDefault) == cudaSuccess);
  CHECK(copy[500] == 1);
  CHECK(cudaFree(numbers) == cudaErrorInvalidValue);  // it is cudaFreeHost's
  CHECK(cudaFreeHost(numbers) == cudaSuccess);
  CHECK(cudaFreeHost(others) == cudaSuccess);
  CHECK(cudaFree(memory) == cudaSuccess);
  const ServerReport report = device.finish();
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].id == "invalid-free");
}

TEST_CASE("memory of the program's own reaches kernels while it is registered") {
  const KernelBody body("write", increase);
  Device device;
  std::vector<int> own(3000);
  int* const numbers = own.data() + 5;
  REQUIRE(cudaHostRegister(numbers, 8000, cudaHostRegisterMapped) == cudaSuccess);
  CHECK(cudaHostRegister(numbers + 100, 8000, 0) == cudaErrorHostMemoryAlreadyRegistered);
  CHECK(cudaHostRegister(numbers - 2, 12, 0) == cudaErrorHostMemoryAlreadyRegistered);
  CHECK(cudaHostUnregister(numbers + 1) == cudaErrorInvalidValue);
  cudaPointerAttributes attributes;
  REQUIRE(cudaPointerGetAttributes(&attributes, numbers) == cudaSuccess);
  CHECK(attributes.type == cudaMemoryTypeHost);
  CHECK(attributes.devicePointer == numbers);
  // What the device has: a copy of it comes back by a copy there.
  void* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 4000) == cudaSuccess);
  REQUIRE(cudaMemset(memory, 1, 4000) == cudaSuccess);
  REQUIRE(cudaMemcpy(numbers + 10, memory, 4000, cudaMemcpyDeviceToDevice) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(numbers[9] == 0);
  CHECK(numbers[10] == 0x0101'0101);
  CHECK(numbers[1009] == 0x0101'0101);
  CHECK(numbers[1010] == 0);
  REQUIRE(cudaMemsetAsync(numbers, 2, 8, nullptr) == cudaSuccess);
  CHECK(numbers[0] == 0);  // its page is not its own: what comes later is not seen before the wait
  REQUIRE(cudaHostUnregister(numbers) == cudaSuccess);
  CHECK(numbers[1] == 0x0202'0202);
  CHECK(own[4] == 0);
  CHECK(cudaMemset(numbers, 0, 8) == cudaErrorInvalidValue);
  CHECK(cudaFree(memory) == cudaSuccess);
}

TEST_CASE("page-locked memory takes nothing of the device's, and is no leak of it") {
  Device device;
  std::size_t before = 0, after = 0, total = 0;
  REQUIRE(cudaMemGetInfo(&before, &total) == cudaSuccess);
  int* const numbers = page_locked_ints(1000);
  REQUIRE(cudaMemGetInfo(&after, &total) == cudaSuccess);
  CHECK(before == after);
  CHECK(numbers != nullptr);
  CHECK(device.finish().findings.empty());
}

TEST_CASE("kernels read pointers to page-locked memory wherever they get them from") {
  int* seen = nullptr;
  const KernelBody body("write", [&](fake::LaunchCall& call) {
    std::uint64_t pointer = 0;
    call.gpu.copy_out(std::as_writable_bytes(std::span(&pointer, 1)), call.parameter<std::uint64_t>(0));
    std::vector<std::byte> bytes(4);
    call.gpu.copy_out(bytes, pointer);
    int value = 0;
    std::memcpy(&value, bytes.data(), 4);
    CHECK(value == 42);
    return LaunchOutcome{};
  });
  Device device;
  seen = page_locked_ints(10);
  seen[0] = 42;
  void* table = nullptr;
  const bool managed = GENERATE(false, true);
  if (managed) {
    REQUIRE(cudaMallocManaged(&table, 8, cudaMemAttachGlobal) == cudaSuccess);
    std::memcpy(table, &seen, 8);
  } else {
    REQUIRE(cudaMalloc(&table, 8) == cudaSuccess);
    REQUIRE(cudaMemcpy(table, &seen, 8, cudaMemcpyHostToDevice) == cudaSuccess);
  }
  std::uint32_t count = 1;
  launch_as_compiled(kernel("write"), 1, 1, {&table, &count});
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(cudaFree(table) == cudaSuccess);
  CHECK(cudaFreeHost(seen) == cudaSuccess);
  CHECK(device.finish().findings.empty());
}
