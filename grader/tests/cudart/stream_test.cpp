// Work in streams: what runs while the program goes on, in which order, and what is left of it at the end. A gate holds
// the device busy for as long as needed.
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "catch/catch.h"
#include "streams.h"

using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::test;

TEST_CASE("a launch returns while the kernel runs") {
  BusyKernel busy;
  Device device;
  const cudaStream_t stream = new_stream();
  const cudaEvent_t before = new_event(), after = new_event();
  REQUIRE(cudaEventRecord(before, stream) == cudaSuccess);
  busy.start(stream);
  REQUIRE(cudaEventRecord(after, stream) == cudaSuccess);
  CHECK(cudaStreamQuery(stream) == cudaErrorNotReady);
  CHECK(cudaStreamQuery(nullptr) == cudaErrorNotReady);
  CHECK(cudaEventQuery(before) == cudaSuccess);
  CHECK(cudaEventQuery(after) == cudaErrorNotReady);
  CHECK(cudaGetLastError() == cudaSuccess);  // an answer, not an error
  float milliseconds = 0;
  CHECK(cudaEventElapsedTime(&milliseconds, before, after) == cudaErrorNotReady);
  CHECK(cudaGetLastError() == cudaErrorNotReady);
  busy.gate.open();
  CHECK(cudaEventSynchronize(after) == cudaSuccess);
  CHECK(cudaEventQuery(after) == cudaSuccess);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(cudaStreamQuery(stream) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&milliseconds, before, after) == cudaSuccess);
  CHECK(milliseconds >= 0);
  CHECK(cudaEventElapsedTime(&milliseconds, after, after) == cudaSuccess);
  CHECK(milliseconds == 0);
}

// How fast the device was decides nothing: what it has long done is found done at the second question.
TEST_CASE("what nobody has waited for is not ready at the first question") {
  std::atomic<bool> ran = false;
  const KernelBody body("empty", [&](fake::LaunchCall&) {
    ran = true;
    return LaunchOutcome{};
  });
  Device device;
  const cudaEvent_t before = new_event(), after = new_event();
  REQUIRE(cudaEventRecord(before) == cudaSuccess);
  launch_as_compiled(kernel("empty"), 1, 1);
  REQUIRE(cudaPeekAtLastError() == cudaSuccess);
  REQUIRE(cudaEventRecord(after) == cudaSuccess);
  while (!ran) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(2));  // so that a device that tells would
  float milliseconds = -1;
  SECTION("of a stream") {
    CHECK(cudaStreamQuery(nullptr) == cudaErrorNotReady);
    while (cudaStreamQuery(nullptr) == cudaErrorNotReady) std::this_thread::yield();
    CHECK(cudaEventQuery(after) == cudaSuccess);
  }
  SECTION("of an event") {
    CHECK(cudaEventQuery(after) == cudaErrorNotReady);
    while (cudaEventQuery(after) == cudaErrorNotReady) std::this_thread::yield();
    CHECK(cudaStreamQuery(nullptr) == cudaSuccess);
  }
  SECTION("of the time between two events") {
    CHECK(cudaEventElapsedTime(&milliseconds, before, after) == cudaErrorNotReady);
    while (cudaEventElapsedTime(&milliseconds, before, after) == cudaErrorNotReady) std::this_thread::yield();
    CHECK(milliseconds >= 0);
  }
  SECTION("after a wait it is") {
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(cudaStreamQuery(nullptr) == cudaSuccess);
    CHECK(cudaEventQuery(after) == cudaSuccess);
  }
}

TEST_CASE("work in a stream keeps its order") {
  BusyKernel busy;
  std::vector<int> order;
  const KernelBody body("write", [&](fake::LaunchCall& call) {
    const int value = call.parameter<int>(8);
    order.push_back(value);
    call.gpu.copy_in(call.parameter<DeviceAddress>(0), std::as_bytes(std::span(&value, 1)));
    return LaunchOutcome{};
  });
  Device device;
  const Cells cells;
  busy.start();
  int seen = 0;
  for (int i = 1; i <= 3; ++i) {
    int* address = cells.device;
    launch_as_compiled(kernel("write"), 1, 1, {&address, &i});
  }
  REQUIRE(cudaMemcpyAsync(cells.host, cells.device, 4, cudaMemcpyDeviceToHost, nullptr) == cudaSuccess);
  REQUIRE(cudaMemsetAsync(cells.device, 0, 4, nullptr) == cudaSuccess);
  CHECK(*cells.host == -1);
  busy.gate.open();
  REQUIRE(cudaMemcpy(&seen, cells.device, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(seen == 0);
  CHECK(*cells.host == 3);
  CHECK(order == std::vector{1, 2, 3});
}

TEST_CASE("the default stream and blocking streams wait for each other") {
  Device device;
  const Cells cells;
  const cudaStream_t stream = new_stream();
  REQUIRE(cudaMemset(cells.device, 0, 4) == cudaSuccess);
  SECTION("default after blocking") {
    REQUIRE(cudaMemcpyAsync(cells.host, cells.device, 4, cudaMemcpyDeviceToHost, stream) == cudaSuccess);
    CHECK(cudaStreamSynchronize(nullptr) == cudaSuccess);
  }
  SECTION("a blocking copy is default-stream work") {
    REQUIRE(cudaMemcpyAsync(cells.host, cells.device, 4, cudaMemcpyDeviceToHost, stream) == cudaSuccess);
    int value = 0;
    CHECK(cudaMemcpy(&value, cells.device, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
  }
  SECTION("blocking after default") {
    REQUIRE(cudaMemcpyAsync(cells.host, cells.device, 4, cudaMemcpyDeviceToHost, nullptr) == cudaSuccess);
    CHECK(*cells.host == -1);
    REQUIRE(cudaMemsetAsync(cells.device, 1, 4, stream) == cudaSuccess);
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  }
  CHECK(*cells.host == 0);
}

TEST_CASE("issuing more work than the queue holds waits for room") {
  SessionLimits limits;
  limits.pending_work = 2;
  int count = 0;
  const KernelBody body("empty", [&](fake::LaunchCall&) {
    ++count;
    return LaunchOutcome{};
  });
  Device device(device_model("t4"), limits);
  for (int i = 0; i < 50; ++i) launch_as_compiled(kernel("empty"), 1, 1);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(count == 50);
}

TEST_CASE("a program that ends without waiting") {
  SECTION("has its work done when that is soon enough") {
    int count = 0;
    const KernelBody body("empty", [&](fake::LaunchCall&) {
      ++count;
      return LaunchOutcome{};
    });
    Device device;
    launch_as_compiled(kernel("empty"), 1, 1);
    const ServerReport report = device.finish();
    CHECK(count == 1);
    CHECK_FALSE(report.interrupted);
    CHECK(report.said_goodbye);
  }
  SECTION("has it cut off when not") {
    BusyKernel busy;
    SessionLimits limits;
    limits.end_seconds = 0.01;
    Device device(device_model("t4"), limits);
    busy.start();
    busy.start();
    const ServerReport report = device.finish();
    CHECK(report.interrupted);
    CHECK_FALSE(has_finding(report, "timed-out"));
    CHECK(report.context_error == 0);
  }
}

TEST_CASE("a session that is told to stop") {
  BusyKernel busy;
  Device device;
  busy.start();
  device.session().stop();
  const ServerReport report = device.finish();
  CHECK(report.interrupted);
}
