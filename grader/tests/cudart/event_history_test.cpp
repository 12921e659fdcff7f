// Events that were to order two streams, and do not: what is said of the race that is left.
#include <algorithm>
#include <string>

#include "catch/catch.h"
#include "streams.h"
#include "vgpu/cudart/server/event_history.h"

namespace cudalabs::vgpu::test::of_event_history {
namespace {

void fill(char* to, cudaStream_t stream) {
  REQUIRE(cudaMemsetAsync(to, 1, 16, stream) == cudaSuccess);
}

void record(cudaEvent_t event, cudaStream_t stream) {
  REQUIRE(cudaEventRecord(event, stream) == cudaSuccess);
}

void wait(cudaStream_t stream, cudaEvent_t event) {
  REQUIRE(cudaStreamWaitEvent(stream, event, 0) == cudaSuccess);
}

/// Of the first finding, which is the race; it has a place of its cause where it has one at all.
std::string label_of_race(Device& device) {
  const ServerReport report = device.finish();
  REQUIRE(!report.findings.empty());
  REQUIRE(report.findings[0].id == "stream-race");
  const auto of_cause =
      std::ranges::count_if(report.origins, [](const auto& origin) { return origin.finding == 0 && origin.of_cause; });
  CHECK(of_cause == (report.findings[0].cause ? 1 : 0));
  return report.findings[0].cause ? report.findings[0].cause->label : "";
}

constexpr const char* kOwn = "this stream waits for its own event, which changes nothing";
constexpr const char* kLost = "the event is recorded again here, before anybody waits for it";

}  // namespace

TEST_CASE("a stream that waits for its own event is shown where the later one's stream waits for nothing") {
  Device device;
  char* bytes = nullptr;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&bytes), 64) == cudaSuccess);
  const cudaStream_t one = new_stream(cudaStreamNonBlocking), other = new_stream(cudaStreamNonBlocking);
  const cudaEvent_t event = new_event(cudaEventDisableTiming);
  std::string label;
  SECTION("after the first operation") {
    fill(bytes, one);
    record(event, one);
    wait(one, event);
    label = kOwn;
  }
  SECTION("before it") {
    record(event, one);
    wait(one, event);
    fill(bytes, one);
  }
  SECTION("where a third stream waits for the same record") {
    fill(bytes, one);
    record(event, one);
    const cudaStream_t third = new_stream(cudaStreamNonBlocking);
    SECTION("after it") {
      wait(one, event);
      wait(third, event);
    }
    SECTION("before it") {
      wait(third, event);
      wait(one, event);
    }
  }
  SECTION("after both operations") {
    fill(bytes, one);
    record(event, one);
    fill(bytes, other);
    wait(one, event);
    CHECK(label_of_race(device).empty());
    return;
  }
  fill(bytes, other);
  CHECK(label_of_race(device) == label);
}

TEST_CASE("a record that takes the place of one that nobody has waited for is shown") {
  Device device;
  char* bytes = nullptr;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&bytes), 64) == cudaSuccess);
  const cudaStream_t one = new_stream(cudaStreamNonBlocking), second = new_stream(cudaStreamNonBlocking),
                     other = new_stream(cudaStreamNonBlocking);
  const cudaEvent_t event = new_event(cudaEventDisableTiming);
  std::string label;
  SECTION("and the later one's stream waits for the event") {
    fill(bytes, one);
    record(event, one);
    record(event, second);
    wait(other, event);
    label = kLost;
  }
  SECTION("of several, each of which is lost but the last") {
    fill(bytes, one);
    for (const cudaStream_t stream : {one, second, new_stream(cudaStreamNonBlocking)}) record(event, stream);
    wait(other, event);
    label = kLost;
  }
  SECTION("and the host waits for the event") {
    fill(bytes, one);
    record(event, one);
    record(event, second);
    REQUIRE(cudaEventSynchronize(event) == cudaSuccess);
    label = kLost;
  }
  SECTION("and nobody waits for the event") {
    fill(bytes, one);
    record(event, one);
    record(event, second);
  }
  SECTION("which did not stand for the first operation") {
    record(event, one);
    fill(bytes, one);
    record(event, second);
    wait(other, event);
  }
  SECTION("which a third stream has waited for") {
    fill(bytes, one);
    record(event, one);
    wait(new_stream(cudaStreamNonBlocking), event);
    record(event, second);
    wait(other, event);
  }
  SECTION("and is recorded where the operation comes after it") {
    record(event, second);
    record(event, one);
    fill(bytes, one);
    wait(other, event);
    label = "the event that the other stream waits for is recorded here, before `cudaMemsetAsync`";
  }
  fill(bytes, other);
  CHECK(label_of_race(device) == label);
}

TEST_CASE("events that order what they were recorded for leave no race") {
  Device device;
  char* bytes = nullptr;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&bytes), 64) == cudaSuccess);
  const cudaStream_t one = new_stream(cudaStreamNonBlocking), second = new_stream(cudaStreamNonBlocking),
                     other = new_stream(cudaStreamNonBlocking);
  const cudaEvent_t event = new_event(cudaEventDisableTiming);
  for (const cudaStream_t stream : {one, second}) {
    fill(bytes + (stream == one ? 0 : 16), stream);
    record(event, stream);
    wait(stream, event);
    wait(other, event);
  }
  fill(bytes, other);
  CHECK_FALSE(has_finding(device.finish(), "stream-race"));
}

TEST_CASE("a program that makes events for ever is remembered in part") {
  EventHistory history;
  for (std::uint64_t event = 1; event <= 5000; ++event) {
    history.record(event, {{event, 0}, event % 3000, event});
    history.wait(event % 3000, event, {event, 0}, 0);
    history.wait(event, event + 5000, {event, 0}, 0);
  }
  CHECK(history.known_to(1).own_waits.size() <= 16);
  CHECK_FALSE(history.known_to(4000).empty_wait);  // whether its event was recorded is not known any more
  history.forget();
  CHECK(history.known_to(1).own_waits.empty());
}

}  // namespace cudalabs::vgpu::test::of_event_history
