// Which errors stay and which are told once, and what each kind of kernel failure does to the context.
#include <atomic>
#include <chrono>
#include <cstring>

#include "catch/catch.h"
#include "streams.h"
#include "vgpu/cudart/error_text.h"

using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::test;

TEST_CASE("an error is returned once by cudaGetLastError") {
  Device device;
  void* a = nullptr;
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaMalloc(nullptr, 1) == cudaErrorInvalidValue);
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidValue);
  CHECK(cudaMalloc(&a, 1) == cudaSuccess);  // success does not clear it
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidValue);
  CHECK(cudaSetDevice(3) == cudaErrorInvalidDevice);  // the last one counts
  CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaPeekAtLastError() == cudaSuccess);
}

TEST_CASE("a call that nothing was asked of the device for is told all the same, and once") {
  Device device;
  CHECK(cudaMalloc(nullptr, 1) == cudaErrorInvalidValue);
  CHECK(cudaEventCreate(nullptr) == cudaErrorInvalidValue);
  CHECK(cudaMallocHost(nullptr, 1) == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  const ServerReport report = device.finish();
  CHECK(call_names(report) ==
        std::vector<std::string>{"cudaMalloc", "cudaEventCreate", "cudaMallocHost", "cudaGetLastError"});
  for (const ApiCall& call : report.calls) CHECK(call.status == cudaErrorInvalidValue);
}

TEST_CASE("a refused launch leaves the context as it was") {
  Device device;
  launch_as_compiled(kernel("empty"), 1, 4096);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
  CHECK(cudaGetLastError() == cudaSuccess);
  launch_as_compiled(kernel("empty"), 1, 1);
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("the last error is each thread's own") {
  Device device;
  CHECK(cudaSetDevice(3) == cudaErrorInvalidDevice);
  cudaError_t others = cudaErrorUnknown;
  std::thread([&] { others = cudaGetLastError(); }).join();
  CHECK(others == cudaSuccess);
  CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
}

TEST_CASE("a kernel that fails ends the context for good") {
  struct Row {
    LaunchStatus status;
    cudaError_t error;
  };
  const Row row =
      GENERATE(Row{LaunchStatus::illegal_address, cudaErrorIllegalAddress},
               Row{LaunchStatus::misaligned_address, cudaErrorMisalignedAddress},
               Row{LaunchStatus::illegal_instruction, cudaErrorIllegalInstruction},
               Row{LaunchStatus::assert_failed, cudaErrorAssert}, Row{LaunchStatus::trap, cudaErrorLaunchFailure},
               Row{LaunchStatus::barrier_deadlock, cudaErrorLaunchTimeout},
               Row{LaunchStatus::timed_out, cudaErrorLaunchTimeout});
  CAPTURE(static_cast<int>(row.status));
  const KernelBody body("fails", [&](fake::LaunchCall&) { return LaunchOutcome{row.status, 0.25, ""}; });
  int later_launches = 0;
  const KernelBody later("empty", [&](fake::LaunchCall&) {
    ++later_launches;
    return LaunchOutcome{};
  });
  Device device;
  void* a = nullptr;
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  int value = 0, count = 0;
  size_t size = 0;
  REQUIRE(cudaMalloc(&a, 4) == cudaSuccess);
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cudaEventCreate(&event) == cudaSuccess);
  launch_as_compiled(kernel("fails"), 1, 1);
  launch_as_compiled(kernel("empty"), 1, 1);
  CHECK(cudaDeviceSynchronize() == row.error);
  CHECK(later_launches == 0);

  // Every call that needs the context says so, again and again.
  void* no_arguments[1] = {};
  for (int round = 0; round < 2; ++round) {
    void* b = nullptr;
    CHECK(cudaMalloc(&b, 4) == row.error);
    CHECK(cudaFree(a) == row.error);
    CHECK(cudaMemcpy(a, &value, 4, cudaMemcpyHostToDevice) == row.error);
    CHECK(cudaMemcpy(&value, a, 4, cudaMemcpyDeviceToHost) == row.error);
    CHECK(cudaMemcpyAsync(a, a, 4, cudaMemcpyDeviceToDevice, stream) == row.error);
    CHECK(cudaMemset(a, 0, 4) == row.error);
    CHECK(cudaMemcpyToSymbol(symbol("counter"), &value, 4, 0, cudaMemcpyHostToDevice) == row.error);
    CHECK(cudaMallocHost(&b, 4) == row.error);
    CHECK(cudaMemGetInfo(&size, &size) == row.error);
    CHECK(cudaStreamSynchronize(stream) == row.error);
    CHECK(cudaStreamQuery(stream) == row.error);
    CHECK(cudaEventRecord(event, stream) == row.error);
    CHECK(cudaEventQuery(event) == row.error);
    CHECK(cudaEventSynchronize(event) == row.error);
    CHECK(cudaLaunchKernel(kernel("empty"), 1, 1, no_arguments, 0, nullptr) == row.error);
    CHECK(cudaDeviceSynchronize() == row.error);
    CHECK(cudaDeviceReset() == row.error);
    CHECK(cudaGetLastError() == row.error);
    CHECK(cudaPeekAtLastError() == row.error);
  }
  // What needs no context still answers.
  CHECK(cudaGetDeviceCount(&count) == cudaSuccess);
  CHECK(count == 1);

  const ServerReport report = device.finish();
  CHECK(report.context_error == row.error);
  CHECK(has_finding(report, "timed-out") == (row.status == LaunchStatus::timed_out));
  CHECK_FALSE(has_finding(report, "unchecked-launch"));
  CHECK_FALSE(has_finding(report, "memory-leak"));  // it could not be freed
}

// A call that does not wait may come before the kernel has failed, however fast that was.
TEST_CASE("a kernel's failure is told when the program has waited for it") {
  std::atomic<bool> ran = false;
  const KernelBody body("fails", [&](fake::LaunchCall&) {
    ran = true;
    return LaunchOutcome{LaunchStatus::illegal_address, 0, ""};
  });
  Device device;
  const cudaEvent_t before = new_event(), after = new_event();
  REQUIRE(cudaEventRecord(before) == cudaSuccess);
  launch_as_compiled(kernel("fails"), 1, 1);
  while (!ran) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(2));  // so that a device that tells would
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaEventRecord(after) == cudaSuccess);
  CHECK(cudaEventSynchronize(before) == cudaSuccess);  // lies before it
  CHECK(cudaGetLastError() == cudaSuccess);
  SECTION("by a wait") {
    CHECK(cudaEventSynchronize(after) == cudaErrorIllegalAddress);
  }
  SECTION("by a question that is asked until it is answered") {
    cudaError_t status = cudaErrorNotReady;
    while (status == cudaErrorNotReady) status = cudaStreamQuery(nullptr);
    CHECK(status == cudaErrorIllegalAddress);
  }
  SECTION("by an allocation") {
    void* memory = nullptr;
    CHECK(cudaMalloc(&memory, 4) == cudaErrorIllegalAddress);
  }
}

TEST_CASE("a kernel that fails, with data on its way in both directions") {
  fake::Gate gate;
  const KernelBody body("fails", [&](fake::LaunchCall& call) {
    gate.pass(call.interrupted);
    return LaunchOutcome{LaunchStatus::illegal_address, 0, ""};
  });
  Device device;
  void *a = nullptr, *host = nullptr;
  REQUIRE(cudaMalloc(&a, 1 << 20) == cudaSuccess);
  REQUIRE(cudaMallocHost(&host, 1 << 20) == cudaSuccess);
  std::memset(host, 7, 1 << 20);
  launch_as_compiled(kernel("fails"), 1, 1);
  CHECK(cudaMemcpyAsync(a, host, 1 << 20, cudaMemcpyHostToDevice, nullptr) == cudaSuccess);
  CHECK(cudaMemcpyAsync(host, a, 1 << 20, cudaMemcpyDeviceToHost, nullptr) == cudaSuccess);
  gate.open();
  CHECK(cudaMemcpy(a, host, 1 << 20, cudaMemcpyHostToDevice) == cudaErrorIllegalAddress);
  CHECK(static_cast<char*>(host)[5] == 7);
  CHECK(cudaMemcpy(a, host, 1 << 20, cudaMemcpyHostToDevice) == cudaErrorIllegalAddress);
}

TEST_CASE("a wait for a copy behind a kernel that fails returns the kernel's error") {
  fake::Gate gate;
  const KernelBody body("fails", [&](fake::LaunchCall& call) {
    gate.pass(call.interrupted);
    return LaunchOutcome{LaunchStatus::illegal_address, 0, ""};
  });
  Device device;
  void *a = nullptr, *host = nullptr;
  REQUIRE(cudaMalloc(&a, 1 << 20) == cudaSuccess);
  REQUIRE(cudaMallocHost(&host, 1 << 20) == cudaSuccess);
  std::memset(host, 7, 1 << 20);
  launch_as_compiled(kernel("fails"), 1, 1);
  CHECK(cudaMemcpyAsync(host, a, 1 << 20, cudaMemcpyDeviceToHost, nullptr) == cudaSuccess);
  gate.open();
  CHECK(cudaStreamSynchronize(nullptr) == cudaErrorIllegalAddress);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  CHECK(static_cast<char*>(host)[5] == 7);
}

TEST_CASE("a kernel that fails and a program that never asks") {
  const KernelBody body("fails", [&](fake::LaunchCall&) { return LaunchOutcome{LaunchStatus::trap, 0, ""}; });
  Device device;
  launch_as_compiled(kernel("fails"), 1, 1);
  const ServerReport report = device.finish();
  CHECK(report.context_error == cudaErrorLaunchFailure);
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].id == "unchecked-launch");
}

TEST_CASE("names and texts of errors") {
  CHECK(std::strcmp(cudaGetErrorName(cudaSuccess), "cudaSuccess") == 0);
  CHECK(std::strcmp(cudaGetErrorString(cudaSuccess), "no error") == 0);
  CHECK(std::strcmp(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress") == 0);
  CHECK(std::strcmp(cudaGetErrorString(cudaErrorIllegalAddress), "an illegal memory access was encountered") == 0);
  CHECK(std::strcmp(cudaGetErrorString(cudaErrorInvalidConfiguration), "invalid configuration argument") == 0);
  CHECK(std::strcmp(cudaGetErrorName(static_cast<cudaError_t>(12345)), "unrecognized error code") == 0);
  CHECK(std::strcmp(cudaGetErrorString(static_cast<cudaError_t>(-1)), "unrecognized error code") == 0);
}

TEST_CASE("calls are logged in order with stream, status and call site") {
  Device device;
  void* a = nullptr;
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cudaMalloc(&a, 4) == cudaSuccess);
  REQUIRE(cudaMemsetAsync(a, 0, 4, stream) == cudaSuccess);
  CHECK(cudaMalloc(&a, SIZE_MAX) == cudaErrorMemoryAllocation);
  CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
  launch_as_compiled(kernel("empty"), 1, 1, {}, 0, stream);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const ServerReport report = device.finish();
  CHECK(call_names(report) == std::vector<std::string>{"cudaStreamCreate", "cudaMalloc", "cudaMemsetAsync",
                                                       "cudaMalloc", "cudaGetLastError", "cudaLaunchKernel",
                                                       "cudaDeviceSynchronize"});
  CHECK(report.call_count == 7);
  CHECK(report.calls[2].stream == reinterpret_cast<std::uintptr_t>(stream));
  CHECK(report.calls[3].status == cudaErrorMemoryAllocation);
  CHECK(report.calls[5].stream == reinterpret_cast<std::uintptr_t>(stream));
  for (const ApiCall& call : report.calls) CHECK(call.origin != 0);
  for (const ApiCall& call : report.calls) CHECK(call.dropped == (call.name == "cudaLaunchKernel"));
}
