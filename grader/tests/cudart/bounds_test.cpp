// What one client may make the server keep: at each bound the request is still served, beyond it the program gets the
// error that a real runtime gives, and the session goes on.
#include <cstring>
#include <string>
#include <vector>

#include "catch/catch.h"
#include "device.h"
#include "vgpu/cudart/server/launch_check.h"
#include "vgpu/cudart/server/stream_order.h"

using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::test;

TEST_CASE("device code is bounded over all modules") {
  SessionLimits limits;
  SECTION("at the bound") {
    limits.image_bytes = 1000;
    Device device(device_model("t4"), limits);
    launch_as_compiled(kernel("empty"), 1, 1);
    CHECK(cudaGetLastError() == cudaSuccess);
  }
  SECTION("beyond it") {
    limits.image_bytes = 10;
    Device device(device_model("t4"), limits);
    launch_as_compiled(kernel("empty"), 1, 1);
    CHECK(cudaGetLastError() != cudaSuccess);
    const ServerReport report = device.finish();
    REQUIRE_FALSE(report.module_errors.empty());
    CHECK(report.module_errors[0].find("device code") != std::string::npos);
    CHECK(report.internal_error.empty());
  }
}

TEST_CASE("what events remember of streams is bounded together") {
  SessionLimits limits;
  limits.event_progress = 3;
  Device device(device_model("t4"), limits);
  cudaEvent_t events[4] = {};
  for (cudaEvent_t& event : events) REQUIRE(cudaEventCreate(&event) == cudaSuccess);
  for (int round = 0; round < 5; ++round) {
    CHECK(cudaEventRecord(events[0]) == cudaSuccess);  // the same event again takes no more
  }
  cudaError_t error = cudaSuccess;
  for (int i = 1; i < 4 && error == cudaSuccess; ++i) error = cudaEventRecord(events[i]);
  CHECK(error == cudaErrorMemoryAllocation);
  CHECK(cudaEventDestroy(events[0]) == cudaSuccess);
  CHECK(cudaEventRecord(events[3]) == cudaSuccess);  // what it remembered is free again
}

TEST_CASE("many small copies to the host arrive early rather than pile up") {
  SessionLimits limits;
  limits.staged_copies = 3;
  Device device(device_model("t4"), limits);
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
  void *memory = nullptr, *host = nullptr;
  REQUIRE(cudaMalloc(&memory, 4) == cudaSuccess);
  REQUIRE(cudaMemset(memory, 5, 4) == cudaSuccess);
  REQUIRE(cudaMallocHost(&host, 16) == cudaSuccess);
  auto* bytes = static_cast<unsigned char*>(host);
  std::memset(bytes, 0, 16);
  for (int i = 0; i < 3; ++i) {
    REQUIRE(cudaMemcpyAsync(bytes + 4 * i, memory, 4, cudaMemcpyDeviceToHost, stream) == cudaSuccess);
  }
  CHECK(bytes[0] == 0);
  REQUIRE(cudaMemcpyAsync(bytes + 12, memory, 4, cudaMemcpyDeviceToHost, stream) == cudaSuccess);
  CHECK(bytes[0] == 5);
  CHECK(bytes[8] == 5);
  CHECK(bytes[12] == 0);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(bytes[12] == 5);
}

TEST_CASE("leaks are told of so many call sites and no more") {
  SessionLimits limits;
  limits.reported_leaks = 1;
  Device device(device_model("t4"), limits);
  void *first = nullptr, *second = nullptr;
  REQUIRE(cudaMalloc(&first, 4) == cudaSuccess);
  REQUIRE(cudaMalloc(&second, 4) == cudaSuccess);
  CHECK(device.finish().findings.size() == 1);
}

TEST_CASE("streams that are gone leave nothing in those that stay") {
  StreamOrder order;
  order.add(StreamOrder::kDefault, true);
  for (StreamId stream = 10; stream < 1000; ++stream) {
    order.add(stream, true);
    order.issue(stream);
    order.issue(StreamOrder::kDefault);
    order.remove(stream, false);
  }
  CHECK(order.reach_all().size() == 1);
  CHECK(order.reach(StreamOrder::kDefault).size() == 1);
}

TEST_CASE("local memory is refused as a device refuses it") {
  const DeviceModel t4 = device_model("t4");
  const std::uint64_t threads = std::uint64_t{t4.max_threads_per_multiprocessor} * t4.multiprocessors;
  wire::Launch launch;
  for (int axis = 0; axis < 3; ++axis) launch.grid[axis] = launch.block[axis] = 1;
  KernelDescription kernel;
  kernel.max_threads = 1024;
  const auto refusal = [&](std::uint64_t bytes, const DeviceModel& model) {
    kernel.local_bytes = static_cast<std::uint32_t>(bytes);
    return check_launch(model, kernel, launch, 48 << 10);
  };
  CHECK_FALSE(refusal(t4.global_bytes / threads, t4));
  const auto too_much = refusal(t4.global_bytes / threads + 1, t4);
  REQUIRE(too_much);
  CHECK(too_much->status == cudaErrorMemoryAllocation);
  DeviceModel large = t4;
  large.global_bytes = 1ull << 40;
  CHECK_FALSE(refusal(512 << 10, large));
  const auto beyond = refusal((512 << 10) + 16, large);
  REQUIRE(beyond);
  CHECK(beyond->status == cudaErrorLaunchOutOfResources);
}
