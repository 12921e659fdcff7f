// Copies that go on while the program does: when they read their source, when they arrive, how many may be under way.
#include <atomic>

#include "catch/catch.h"
#include "streams.h"

extern "C" cudaError_t cudalabs_take_back();

using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::test;

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

TEST_CASE("who touches page-locked memory before the copy to it was waited for is told") {
  Device device;
  const Cells cells;
  const cudaStream_t stream = new_stream();
  REQUIRE(cudaMemset(cells.device, 3, 4) == cudaSuccess);
  REQUIRE(cudaMemcpyAsync(cells.host, cells.device, 4, cudaMemcpyDeviceToHost, stream) == cudaSuccess);
  std::string message;
  SECTION("it reads what was there before") {
    CHECK(*static_cast<volatile int*>(cells.host) == -1);
    message = "the host reads the data of this copy before it has waited for the copy";
  }
  SECTION("it writes there") {
    *static_cast<volatile int*>(cells.host) = 7;
    message = "the host writes the data of this copy before it has waited for the copy";
  }
  SECTION("it returns") {
    REQUIRE(cudalabs_take_back() == cudaSuccess);
    message = "the function returns before it has waited for this copy";
  }
  SECTION("it waits for the stream") {
    REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  }
  SECTION("it waits for an event") {
    const cudaEvent_t copied = new_event();
    REQUIRE(cudaEventRecord(copied, stream) == cudaSuccess);
    REQUIRE(cudaEventSynchronize(copied) == cudaSuccess);
  }
  SECTION("it frees the memory, which waits") {
    REQUIRE(cudaFreeHost(cells.host) == cudaSuccess);
  }
  SECTION("the runtime reads there, in the order of the stream") {
    void* other = nullptr;
    REQUIRE(cudaMalloc(&other, 4) == cudaSuccess);
    REQUIRE(cudaMemcpyAsync(other, cells.host, 4, cudaMemcpyHostToDevice, stream) == cudaSuccess);
  }
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const ServerReport report = device.finish();
  CHECK(has_finding(report, "host-race") == !message.empty());
  for (const cudalabs::Finding& finding : report.findings)
    if (finding.id == "host-race") CHECK(finding.message == message);
}

TEST_CASE("what lies beside the rows of a copy stays the host's") {
  Device device;
  void *from = nullptr, *pages = nullptr;
  constexpr std::size_t kPage = 4096;
  REQUIRE(cudaMalloc(&from, 3 * kPage) == cudaSuccess);
  REQUIRE(cudaMemset(from, 3, 3 * kPage) == cudaSuccess);
  REQUIRE(cudaMallocHost(&pages, 3 * kPage) == cudaSuccess);
  auto* const bytes = static_cast<volatile unsigned char*>(pages);
  REQUIRE(cudaMemcpyAsync(static_cast<char*>(pages) + 100, from, 2 * kPage, cudaMemcpyDeviceToHost, nullptr) ==
          cudaSuccess);
  bytes[0] = 1;
  bytes[2 * kPage + 100] = 2;
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(bytes[kPage] == 3);
  CHECK(bytes[0] + bytes[2 * kPage + 100] == 3);
  CHECK(!has_finding(device.finish(), "host-race"));
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
