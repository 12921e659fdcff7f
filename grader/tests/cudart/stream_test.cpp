// Streams, events and asynchronous work through the runtime API; a gate holds the device busy for as long as needed.
#include <atomic>
#include <cstring>
#include <vector>

#include "catch/catch.h"
#include "device.h"

using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::test;

namespace {

/// A kernel named "wait" that runs until the gate opens.
struct BusyKernel {
  fake::Gate gate;
  KernelBody body{
      "wait", [this](fake::LaunchCall& call) {
        return LaunchOutcome{gate.pass(call.interrupted) ? LaunchStatus::ok : LaunchStatus::timed_out, 0, ""};
      }};
  void start(cudaStream_t stream = nullptr) {
    launch_as_compiled(kernel("wait"), 1, 1, {}, 0, stream);
    REQUIRE(cudaPeekAtLastError() == cudaSuccess);
  }
};

/// Device memory and page-locked memory of 4 bytes each.
struct Cells {
  Cells() {
    void *d = nullptr, *h = nullptr;
    REQUIRE(cudaMalloc(&d, 4) == cudaSuccess);
    REQUIRE(cudaMallocHost(&h, 4) == cudaSuccess);
    device = static_cast<int*>(d);
    host = static_cast<int*>(h);
    *host = -1;
  }
  int* device = nullptr;
  int* host = nullptr;
};

cudaStream_t new_stream(unsigned int flags = cudaStreamDefault) {
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreateWithFlags(&stream, flags) == cudaSuccess);
  return stream;
}

cudaEvent_t new_event(unsigned int flags = cudaEventDefault) {
  cudaEvent_t event = nullptr;
  REQUIRE(cudaEventCreateWithFlags(&event, flags) == cudaSuccess);
  return event;
}

}  // namespace

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

TEST_CASE("an asynchronous copy takes data from pageable memory when it is called") {
  BusyKernel busy;
  Device device;
  const Cells cells;
  busy.start();
  int host = 5;
  REQUIRE(cudaMemcpyAsync(cells.device, &host, 4, cudaMemcpyHostToDevice, nullptr) == cudaSuccess);
  host = 6;
  REQUIRE(cudaStreamQuery(nullptr) == cudaErrorNotReady);
  busy.gate.open();
  int seen = 0;
  REQUIRE(cudaMemcpy(&seen, cells.device, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(seen == 5);
  CHECK(!has_finding(device.finish(), "early-refill"));
}

TEST_CASE("an asynchronous copy reads page-locked memory when something waits, and says that it was changed") {
  Device device;
  const Cells cells;
  const cudaStream_t stream = new_stream(), another = new_stream();
  void* other = nullptr;
  REQUIRE(cudaMalloc(&other, 4) == cudaSuccess);
  *cells.host = 5;
  REQUIRE(cudaMemcpyAsync(cells.device, cells.host, 4, cudaMemcpyHostToDevice, stream) == cudaSuccess);
  const cudaEvent_t copied = new_event();
  REQUIRE(cudaEventRecord(copied, stream) == cudaSuccess);
  int expected = 6;
  bool waited = false;
  SECTION("refilled at once: the copy gets the new value") {}
  SECTION("waited for the stream first") {
    REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
    waited = true;
  }
  SECTION("waited for an event") {
    REQUIRE(cudaEventSynchronize(copied) == cudaSuccess);
    waited = true;
  }
  SECTION("asked until the event has happened") {
    while (cudaEventQuery(copied) == cudaErrorNotReady) continue;
    waited = true;
  }
  SECTION("waited by a host function") {
    std::atomic<bool> called = false;
    REQUIRE(cudaLaunchHostFunc(
                stream, [](void* data) { *static_cast<std::atomic<bool>*>(data) = true; }, &called) == cudaSuccess);
    while (!called) continue;
    waited = true;
  }
  SECTION("launches, fills and records are no waits") {
    REQUIRE(cudaMemsetAsync(static_cast<int*>(other), 0, 4, stream) == cudaSuccess);
    REQUIRE(cudaStreamWaitEvent(another, copied, 0) == cudaSuccess);
  }
  if (waited) expected = 5;
  *cells.host = 6;
  int seen = 0;
  REQUIRE(cudaMemcpy(&seen, cells.device, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(seen == expected);
  CHECK(has_finding(device.finish(), "early-refill") == !waited);
}

TEST_CASE("kernels after a copy that is refilled too early see the new values") {
  int seen_by_kernel = 0;
  Device device;
  const Cells cells;
  const KernelBody body("wait", [&](fake::LaunchCall& call) {
    const auto address = static_cast<DeviceAddress>(reinterpret_cast<std::uintptr_t>(cells.device));
    call.gpu.copy_out(std::as_writable_bytes(std::span(&seen_by_kernel, 1)), address);
    return LaunchOutcome{};
  });
  *cells.host = 5;
  REQUIRE(cudaMemcpyAsync(cells.device, cells.host, 4, cudaMemcpyHostToDevice, nullptr) == cudaSuccess);
  launch_as_compiled(kernel("wait"), 1, 1);
  CHECK(cudaGetLastError() == cudaSuccess);
  *cells.host = 6;
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(seen_by_kernel == 6);
}

TEST_CASE("there and back through one page-locked buffer, in the stream's order") {
  Device device;
  const Cells cells, more;
  *cells.host = 5;
  REQUIRE(cudaMemcpyAsync(cells.device, cells.host, 4, cudaMemcpyHostToDevice, nullptr) == cudaSuccess);
  REQUIRE(cudaMemsetAsync(cells.device, 1, 4, nullptr) == cudaSuccess);
  REQUIRE(cudaMemcpyAsync(cells.host, cells.device, 4, cudaMemcpyDeviceToHost, nullptr) == cudaSuccess);
  REQUIRE(cudaMemcpyAsync(more.device, cells.host, 4, cudaMemcpyHostToDevice, nullptr) == cudaSuccess);
  int seen = 0;
  REQUIRE(cudaMemcpy(&seen, more.device, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(seen == 0x01010101);
  CHECK(!has_finding(device.finish(), "early-refill"));
}

TEST_CASE("a program that ends, or frees the source, with a copy from it under way") {
  Device device;
  const Cells cells;
  *cells.host = 5;
  REQUIRE(cudaMemcpyAsync(cells.device, cells.host, 4, cudaMemcpyHostToDevice, nullptr) == cudaSuccess);
  SECTION("freed") {
    CHECK(cudaFreeHost(cells.host) == cudaSuccess);
    int seen = 0;
    REQUIRE(cudaMemcpy(&seen, cells.device, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(seen == 5);
  }
  SECTION("just ends") {}
  CHECK(!device.finish().interrupted);
}

TEST_CASE("a copy to page-locked memory arrives with the first wait that promises it, not before") {
  Device device;
  const Cells cells;
  const cudaStream_t stream = new_stream(cudaStreamNonBlocking), other = new_stream(cudaStreamNonBlocking);
  const cudaEvent_t event = new_event();
  REQUIRE(cudaMemset(cells.device, 0, 4) == cudaSuccess);
  REQUIRE(cudaMemcpyAsync(cells.host, cells.device, 4, cudaMemcpyDeviceToHost, stream) == cudaSuccess);
  REQUIRE(cudaEventRecord(event, stream) == cudaSuccess);
  CHECK(*cells.host == -1);
  SECTION("other streams promise nothing") {
    CHECK(cudaStreamSynchronize(other) == cudaSuccess);
    CHECK(*cells.host == -1);
    CHECK(cudaStreamSynchronize(nullptr) == cudaSuccess);  // not for a non-blocking stream
    CHECK(*cells.host == -1);
  }
  SECTION("its stream") {
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  }
  SECTION("a look at its stream") {
    CHECK(cudaStreamQuery(stream) == cudaSuccess);
  }
  SECTION("its event") {
    CHECK(cudaEventSynchronize(event) == cudaSuccess);
  }
  SECTION("a look at its event") {
    CHECK(cudaEventQuery(event) == cudaSuccess);
  }
  SECTION("the device") {
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
  }
  SECTION("another stream that waits for its event") {
    CHECK(cudaStreamWaitEvent(other, event, 0) == cudaSuccess);
    CHECK(*cells.host == -1);
    CHECK(cudaStreamSynchronize(other) == cudaSuccess);
  }
  SECTION("the device, after the stream was destroyed") {
    CHECK(cudaStreamDestroy(stream) == cudaSuccess);
    CHECK(*cells.host == -1);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
  }
  SECTION("nothing, when the program just goes on") {
    CHECK(cudaMemset(cells.device, 1, 4) == cudaSuccess);
    CHECK(*cells.host == -1);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
  }
  if (cudaStreamSynchronize(stream) == cudaSuccess) CHECK(*cells.host == 0);
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

TEST_CASE("a copy to pageable memory is over when the call returns") {
  Device device;
  const Cells cells;
  int value = -1;
  REQUIRE(cudaMemset(cells.device, 0, 4) == cudaSuccess);
  REQUIRE(cudaMemcpyAsync(&value, cells.device, 4, cudaMemcpyDeviceToHost, new_stream()) == cudaSuccess);
  CHECK(value == 0);
}

TEST_CASE("memory that goes while a copy is on its way to it gets the copy first") {
  Device device;
  const Cells cells;
  int own = -1;
  REQUIRE(cudaHostRegister(&own, sizeof own, 0) == cudaSuccess);
  REQUIRE(cudaMemset(cells.device, 0, 4) == cudaSuccess);
  const cudaStream_t stream = new_stream();
  REQUIRE(cudaMemcpyAsync(cells.host, cells.device, 4, cudaMemcpyDeviceToHost, stream) == cudaSuccess);
  REQUIRE(cudaMemcpyAsync(&own, cells.device, 4, cudaMemcpyDeviceToHost, stream) == cudaSuccess);
  CHECK(own == -1);
  SECTION("freed") {
    CHECK(cudaFreeHost(cells.host) == cudaSuccess);
  }
  SECTION("unregistered") {
    CHECK(cudaHostUnregister(&own) == cudaSuccess);
  }
  CHECK(own == 0);
}

TEST_CASE("copies in flight are bounded in memory") {
  SessionLimits limits;
  limits.staged_bytes = 8;
  BusyKernel busy;
  Device device(device_model("t4"), limits);
  Cells cells[3];
  const cudaStream_t stream = new_stream();
  for (const Cells& c : cells) {
    REQUIRE(cudaMemset(c.device, 3, 4) == cudaSuccess);
    REQUIRE(cudaMemcpyAsync(c.host, c.device, 4, cudaMemcpyDeviceToHost, stream) == cudaSuccess);
  }
  CHECK(*cells[0].host == 0x03030303);  // the third had no room, so the first two came
  CHECK(*cells[2].host == -1);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(*cells[2].host == 0x03030303);
  void* large = nullptr;
  void* host = nullptr;
  REQUIRE(cudaMalloc(&large, 100) == cudaSuccess);
  REQUIRE(cudaMallocHost(&host, 100) == cudaSuccess);
  busy.gate.open();
  busy.start();
  CHECK(cudaMemcpyAsync(large, host, 100, cudaMemcpyHostToDevice, stream) == cudaSuccess);  // waits instead
  CHECK(cudaMemcpyAsync(host, large, 100, cudaMemcpyDeviceToHost, stream) == cudaErrorMemoryAllocation);
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

TEST_CASE("stream handles") {
  Device device;
  cudaStream_t stream = nullptr;
  unsigned int flags = 9;
  int priority = 9;
  REQUIRE(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -2) == cudaSuccess);
  CHECK(cudaStreamGetFlags(stream, &flags) == cudaSuccess);
  CHECK(flags == cudaStreamNonBlocking);
  CHECK(cudaStreamGetPriority(stream, &priority) == cudaSuccess);
  CHECK(priority == -2);
  CHECK(cudaStreamGetFlags(nullptr, &flags) == cudaSuccess);
  CHECK(flags == 0);
  CHECK(cudaStreamGetFlags(stream, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamSynchronize(stream) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamQuery(stream) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamGetPriority(stream, &priority) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamDestroy(nullptr) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamSynchronize(cudaStreamLegacy) == cudaSuccess);
  CHECK(cudaStreamSynchronize(cudaStreamPerThread) == cudaSuccess);
  CHECK(cudaStreamCreateWithFlags(&stream, 2) == cudaErrorInvalidValue);
  CHECK(cudaStreamCreate(nullptr) == cudaErrorInvalidValue);
  int least = 9, greatest = 9;
  CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest) == cudaSuccess);
  CHECK(least >= greatest);
}

TEST_CASE("event handles") {
  Device device;
  const cudaEvent_t event = new_event(), recorded = new_event(), untimed = new_event(cudaEventDisableTiming);
  const cudaStream_t stream = new_stream();
  float milliseconds = 0;
  REQUIRE(cudaEventRecord(recorded, stream) == cudaSuccess);
  REQUIRE(cudaEventRecord(untimed, stream) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(cudaEventQuery(event) == cudaSuccess);  // never recorded
  CHECK(cudaEventSynchronize(event) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(stream, event, 0) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&milliseconds, recorded, event) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventElapsedTime(&milliseconds, recorded, untimed) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventElapsedTime(nullptr, recorded, recorded) == cudaErrorInvalidValue);
  CHECK(cudaEventRecord(nullptr, stream) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventRecordWithFlags(recorded, stream, 2) == cudaErrorInvalidValue);
  CHECK(cudaEventRecordWithFlags(recorded, stream, 0) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(stream, nullptr, 0) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamWaitEvent(stream, recorded, 2) == cudaErrorInvalidValue);
  CHECK(cudaEventQuery(reinterpret_cast<cudaEvent_t>(stream)) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventDestroy(event) == cudaSuccess);
  CHECK(cudaEventDestroy(event) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventQuery(event) == cudaErrorInvalidResourceHandle);
  cudaEvent_t other = nullptr;
  CHECK(cudaEventCreateWithFlags(&other, cudaEventInterprocess | cudaEventDisableTiming) == cudaErrorInvalidValue);
  CHECK(cudaEventCreate(nullptr) == cudaErrorInvalidValue);
}

TEST_CASE("handles are limited in number") {
  SessionLimits limits;
  limits.streams = 3;  // two of them the default ones
  limits.events = 1;
  Device device(device_model("t4"), limits);
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  CHECK(cudaStreamCreate(&stream) == cudaSuccess);
  CHECK(cudaStreamCreate(&stream) == cudaErrorMemoryAllocation);
  CHECK(cudaEventCreate(&event) == cudaSuccess);
  CHECK(cudaEventCreate(&event) == cudaErrorMemoryAllocation);
}

TEST_CASE("handles do not survive a reset") {
  Device device;
  const cudaStream_t stream = new_stream();
  const cudaEvent_t event = new_event();
  REQUIRE(cudaDeviceReset() == cudaSuccess);
  CHECK(cudaStreamQuery(stream) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventQuery(event) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamSynchronize(nullptr) == cudaSuccess);
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
