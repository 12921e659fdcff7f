// Unified memory: what the host writes reaches kernels, what they write reaches the host, and a host that does not wait
// is told.
#include <csetjmp>
#include <csignal>
#include <cstring>
#include <numeric>
#include <thread>
#include <vector>

#include "catch/catch.h"
#include "device.h"

using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::test;

namespace {

constexpr int kMany = 1 << 20;

int* managed_ints(std::size_t count) {
  int* pointer = nullptr;
  REQUIRE(cudaMallocManaged(reinterpret_cast<void**>(&pointer), count * sizeof(int), cudaMemAttachGlobal) ==
          cudaSuccess);
  return pointer;
}

/// Adds 1 to each of the first ints, as the fake kernel `write` with a pointer and a count.
LaunchOutcome increment(fake::LaunchCall& call) {
  const auto at = call.parameter<std::uint64_t>(0);
  const auto count = call.parameter<std::uint32_t>(8);
  std::vector<int> values(count);
  const auto bytes = std::as_writable_bytes(std::span(values));
  call.gpu.copy_out(bytes, at);
  for (int& value : values) ++value;
  call.gpu.copy_in(at, bytes);
  LaunchOutcome outcome;
  outcome.touched.writes.push_back({at, at + bytes.size()});
  return outcome;
}

void launch_increment(int* pointer, std::uint32_t count) {
  launch_as_compiled(kernel("write"), 1, 1, {&pointer, &count});
}

const cudalabs::Finding* find(const ServerReport& report, const std::string& id) {
  for (const cudalabs::Finding& finding : report.findings)
    if (finding.id == id) return &finding;
  return nullptr;
}

}  // namespace

TEST_CASE("the host and kernels see what the other has written") {
  const KernelBody body("write", increment);
  Device device;
  int* const numbers = managed_ints(kMany);
  std::iota(numbers, numbers + kMany, 0);
  for (int round = 1; round <= 3; ++round) {
    launch_increment(numbers, kMany);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    long wrong = 0;
    for (int i = 0; i < kMany; ++i) wrong += numbers[i] != i + round;
    CHECK(wrong == 0);
  }
  numbers[kMany - 1] = 7;  // the last element of a page that is otherwise as it was
  launch_increment(numbers, kMany);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(numbers[kMany - 1] == 8);
  CHECK(numbers[kMany - 2] == kMany - 2 + 4);
  CHECK(cudaFree(numbers) == cudaSuccess);
  CHECK(device.finish().findings.empty());
}

TEST_CASE("pages are fetched whatever the order of the touches") {
  Device device;
  int* const numbers = managed_ints(kMany);
  REQUIRE(cudaMemset(numbers, 1, kMany * sizeof(int)) == cudaSuccess);
  long wrong = 0;
  for (int i = kMany - 1; i >= 0; i -= 1000) wrong += numbers[i] != 0x0101'0101;
  CHECK(wrong == 0);
  for (int i = 0; i < kMany; i += 1777) numbers[i] = i;
  std::vector<int> copy(kMany);
  REQUIRE(cudaMemcpy(copy.data(), numbers, kMany * sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess);
  for (int i = 0; i < kMany; ++i) wrong += copy[i] != (i % 1777 == 0 ? i : 0x0101'0101);
  CHECK(wrong == 0);
  CHECK(cudaFree(numbers) == cudaSuccess);
  CHECK(device.finish().findings.empty());
}

TEST_CASE("threads of the host may touch unified memory at once") {
  Device device;
  int* const numbers = managed_ints(kMany);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([=] {
      for (int i = thread; i < kMany; i += 4) numbers[i] = i;
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<int> copy(kMany);
  REQUIRE(cudaMemcpy(copy.data(), numbers, kMany * sizeof(int), cudaMemcpyDefault) == cudaSuccess);
  long wrong = 0;
  for (int i = 0; i < kMany; ++i) wrong += copy[i] != i;
  CHECK(wrong == 0);
  CHECK(cudaFree(numbers) == cudaSuccess);
}

TEST_CASE("the host may touch at any time what a kernel shares with the system") {
  bool of_system = true;
  const KernelBody body("write", [&](fake::LaunchCall& call) {
    const auto at = call.parameter<std::uint64_t>(0);
    LaunchOutcome outcome;
    outcome.touched.shared.push_back({at, at + 4});
    if (of_system) outcome.touched.system.push_back({at, at + 4});
    return outcome;
  });
  Device device;
  int* const numbers = managed_ints(1000);
  numbers[0] = 1;
  SECTION("by atomics of the system") {
    launch_increment(numbers, 1);
    __atomic_fetch_add(numbers, 1, __ATOMIC_RELAXED);
    CHECK(numbers[0] == 2);
    CHECK_FALSE(has_finding(device.finish(), "host-race"));
  }
  SECTION("but not what it shares with the device only") {
    of_system = false;
    launch_increment(numbers, 1);
    CHECK(numbers[0] == 1);
    CHECK(has_finding(device.finish(), "host-race"));
  }
}

TEST_CASE("a host that reads before it waits is told so") {
  const KernelBody body("write", increment);
  Device device;
  int* const numbers = managed_ints(1000);
  numbers[0] = 1;
  launch_increment(numbers, 1000);
  SECTION("reads") {
    CHECK(numbers[500] != 12345);
    const ServerReport report = device.finish();
    const cudalabs::Finding* const race = find(report, "host-race");
    REQUIRE(race != nullptr);
    CHECK(race->message == "the host reads what `write` may not have written yet");
    CHECK(race->help ==
          "call `cudaDeviceSynchronize()` after `write` was issued, before the host reads what it writes");
    CHECK(race->other.has_value());
    REQUIRE(!report.origins.empty());
    CHECK(report.origins[0].origin.address != 0);
  }
  SECTION("writes") {
    numbers[2] = 5;
    const ServerReport report = device.finish();
    REQUIRE(find(report, "host-race") != nullptr);
    CHECK(find(report, "host-race")->message == "the host and `write` write to the same memory, in either order");
  }
  SECTION("waits first") {
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(numbers[500] != 12345);
    CHECK_FALSE(has_finding(device.finish(), "host-race"));
  }
  SECTION("waits for an event") {
    cudaEvent_t event = nullptr;
    REQUIRE(cudaEventCreate(&event) == cudaSuccess);
    REQUIRE(cudaEventRecord(event, nullptr) == cudaSuccess);
    REQUIRE(cudaEventSynchronize(event) == cudaSuccess);
    numbers[500] = 3;
    CHECK_FALSE(has_finding(device.finish(), "host-race"));
  }
}

TEST_CASE("what a kernel does not touch the host may use beside it") {
  const KernelBody body("write", increment);
  Device device;
  int* const numbers = managed_ints(2000);
  launch_increment(numbers, 100);
  numbers[100] = 1;
  CHECK(numbers[1999] != 1);
  CHECK_FALSE(has_finding(device.finish(), "host-race"));
}

TEST_CASE("an asynchronous fill needs a wait, another one is over when it returns") {
  Device device;
  int* const numbers = managed_ints(100);
  SECTION("asynchronous") {
    REQUIRE(cudaMemsetAsync(numbers, 0, 400, nullptr) == cudaSuccess);
    CHECK(numbers[0] == 0);
    CHECK(has_finding(device.finish(), "host-race"));
  }
  SECTION("not") {
    REQUIRE(cudaMemset(numbers, 0, 400) == cudaSuccess);
    CHECK(numbers[0] == 0);
    CHECK_FALSE(has_finding(device.finish(), "host-race"));
  }
}

TEST_CASE("a host that writes past the end is told so") {
  Device device;
  int* const numbers = managed_ints(1000);
  const bool past = GENERATE(true, false);
  for (int i = 0; i < 1000 + (past ? 2 : 0); ++i) numbers[i] = i < 1000 ? i : 0;
  if (GENERATE(true, false)) REQUIRE(cudaMemset(numbers, 0, 4) == cudaSuccess);
  REQUIRE(cudaFree(numbers) == cudaSuccess);
  const ServerReport report = device.finish();
  const cudalabs::Finding* const overrun = find(report, "global-out-of-bounds");
  REQUIRE((overrun != nullptr) == past);
  if (!past) return;
  CHECK(overrun->message == "the host writes past the end of unified memory");
  CHECK(overrun->note.starts_with("up to byte 4008 of 4000 bytes, "));
  CHECK(overrun->other.has_value());
}

TEST_CASE("copies take unified memory for whatever side it is on") {
  Device device;
  int* const numbers = managed_ints(100);
  int* const others = managed_ints(100);
  void* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 400) == cudaSuccess);
  std::vector<int> host(100, 4);
  for (const cudaMemcpyKind kind : {cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDefault}) {
    host[0] = kind;
    REQUIRE(cudaMemcpy(numbers, host.data(), 400, kind) == cudaSuccess);
    CHECK(numbers[0] == kind);
    CHECK(numbers[99] == 4);
  }
  for (const cudaMemcpyKind kind :
       {cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice}) {
    numbers[3] = 10 + kind;
    REQUIRE(cudaMemcpy(others, numbers, 400, kind) == cudaSuccess);
    CHECK(others[3] == 10 + kind);
  }
  REQUIRE(cudaMemcpy(memory, numbers, 400, cudaMemcpyHostToDevice) == cudaSuccess);
  REQUIRE(cudaMemcpy(others, memory, 400, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(others[3] == numbers[3]);
  CHECK(cudaMemcpy(host.data(), numbers, 400, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(numbers, memory, 401, cudaMemcpyDefault) == cudaErrorInvalidValue);
  CHECK_FALSE(has_finding(device.finish(), "host-race"));
}

TEST_CASE("calls of the runtime write their results to unified memory") {
  Device device;
  int** const pointers = reinterpret_cast<int**>(managed_ints(100));
  REQUIRE(cudaMallocManaged(reinterpret_cast<void**>(&pointers[0]), 400, cudaMemAttachHost) == cudaSuccess);
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&pointers[1]), 400) == cudaSuccess);
  pointers[0][5] = 6;
  CHECK(pointers[0][5] == 6);
  CHECK(cudaFree(pointers[1]) == cudaSuccess);
  CHECK(cudaFree(pointers[0]) == cudaSuccess);
  CHECK(cudaFree(pointers) == cudaSuccess);
  CHECK(cudaFree(pointers) == cudaErrorInvalidValue);
}

TEST_CASE("questions about unified memory") {
  Device device;
  int* const numbers = managed_ints(100);
  cudaPointerAttributes attributes;
  REQUIRE(cudaPointerGetAttributes(&attributes, numbers + 99) == cudaSuccess);
  CHECK(attributes.type == cudaMemoryTypeManaged);
  CHECK(attributes.device == 0);
  CHECK(attributes.hostPointer == numbers + 99);
  CHECK(attributes.devicePointer == numbers + 99);
  for (const cudaDeviceAttr attribute : {cudaDevAttrManagedMemory, cudaDevAttrConcurrentManagedAccess}) {
    int value = 0;
    CHECK(cudaDeviceGetAttribute(&value, attribute, 0) == cudaSuccess);
    CHECK(value == 1);
  }
  CHECK(cudaMemPrefetchAsync(numbers, 400, 0, nullptr) == cudaSuccess);
  CHECK(cudaMemPrefetchAsync(numbers, 404, 0, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaMemPrefetchAsync(&attributes, 8, cudaCpuDeviceId, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaMemAdvise(numbers, 400, cudaMemAdviseSetReadMostly, 0) == cudaSuccess);
  CHECK(cudaMemAdvise(numbers, 400, static_cast<cudaMemoryAdvise>(9), 0) == cudaErrorInvalidValue);
  CHECK(cudaMemAdvise(numbers, 400, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId) == cudaSuccess);
  CHECK(cudaMemAdvise(numbers, 400, cudaMemAdviseSetAccessedBy, cudaCpuDeviceId) == cudaSuccess);
  int known[3] = {7, 7, 7};
  CHECK(cudaMemRangeGetAttribute(known, 4, cudaMemRangeAttributePreferredLocation, numbers, 400) == cudaSuccess);
  CHECK(known[0] == cudaCpuDeviceId);
  CHECK(cudaMemRangeGetAttribute(known, 4, cudaMemRangeAttributeLastPrefetchLocation, numbers, 400) == cudaSuccess);
  CHECK(known[0] == 0);
  CHECK(cudaMemRangeGetAttribute(known, 12, cudaMemRangeAttributeAccessedBy, numbers, 400) == cudaSuccess);
  CHECK((known[0] == cudaCpuDeviceId && known[1] == cudaInvalidDeviceId && known[2] == cudaInvalidDeviceId));
  CHECK(cudaStreamAttachMemAsync(nullptr, numbers, 0, cudaMemAttachSingle) == cudaSuccess);
  CHECK(cudaStreamAttachMemAsync(nullptr, &attributes, 0, cudaMemAttachSingle) == cudaErrorInvalidValue);
  void* pointer = &device;
  CHECK(cudaMallocManaged(&pointer, 0, cudaMemAttachGlobal) == cudaErrorInvalidValue);
  CHECK(cudaMallocManaged(&pointer, 8, 3) == cudaErrorInvalidValue);
  CHECK(cudaMallocManaged(nullptr, 8, cudaMemAttachGlobal) == cudaErrorInvalidValue);
  CHECK(cudaMallocManaged(&pointer, 1ull << 40, cudaMemAttachGlobal) == cudaErrorMemoryAllocation);
  CHECK(pointer == nullptr);
  const ServerReport report = device.finish();
  REQUIRE(find(report, "memory-leak") != nullptr);
  CHECK(find(report, "memory-leak")->message == "400 bytes of device memory allocated here are never freed");
}

namespace {

sigjmp_buf g_out;
void leave(int) {
  siglongjmp(g_out, 1);
}

}  // namespace

TEST_CASE("other faults reach the handler that the program has set, before or after") {
  Device device;
  struct sigaction own {
  }, before{};
  own.sa_handler = &leave;
  const bool first = GENERATE(true, false);
  if (first) REQUIRE(sigaction(SIGSEGV, &own, &before) == 0);
  int* const numbers = managed_ints(100);
  if (!first) {
    REQUIRE(sigaction(SIGSEGV, &own, &before) == 0);
    REQUIRE(cudaMemset(numbers, 0, 400) == cudaSuccess);
  }
  volatile bool reached = false;
  if (sigsetjmp(g_out, 1) == 0) {
    numbers[0] = 1;
    reached = true;
    void* device_memory = nullptr;
    REQUIRE(cudaMalloc(&device_memory, 4) == cudaSuccess);
    *static_cast<volatile int*>(device_memory) = 1;
    FAIL("device memory was written by the host");
  }
  CHECK(reached);
  CHECK(numbers[0] == 1);
  sigaction(SIGSEGV, &before, nullptr);
}

TEST_CASE("a program whose device is lost keeps its own pages") {
  const KernelBody body("fails", [](fake::LaunchCall&) { return LaunchOutcome{LaunchStatus::illegal_address, 0, ""}; });
  Device device;
  int* const numbers = managed_ints(100);
  numbers[0] = 1;
  launch_as_compiled(kernel("fails"), 1, 1);
  REQUIRE(cudaDeviceSynchronize() != cudaSuccess);
  numbers[0] = 2;
  CHECK(numbers[0] == 2);
}
