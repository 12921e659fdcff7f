// Operations of two streams on the same memory: which ones have an order, and which are a race.
#include <algorithm>
#include <cstdlib>

#include "catch/catch.h"
#include "streams.h"
#include "vgpu/cudart/server/conflict.h"

namespace cudalabs::vgpu::test {
namespace {

struct Memory {
  Memory() { REQUIRE(cudaMalloc(reinterpret_cast<void**>(&bytes), 64) == cudaSuccess); }
  char* bytes = nullptr;
};

void fill(char* to, cudaStream_t stream) {
  REQUIRE(cudaMemsetAsync(to, 1, 16, stream) == cudaSuccess);
}

bool races(Device& device) {
  return has_finding(device.finish(), "stream-race");
}

}  // namespace

TEST_CASE("fills of two streams without order are a race, named with both calls") {
  Device device;
  const Memory memory;
  fill(memory.bytes, new_stream(cudaStreamNonBlocking));
  fill(memory.bytes + 8, new_stream(cudaStreamDefault));
  const ServerReport report = device.finish();
  REQUIRE(report.findings.size() == 2);  // and the leak
  const Finding& race = report.findings[0];
  CHECK(race.id == "stream-race");
  CHECK(race.message == "`cudaMemsetAsync` and an earlier call of it write to the same memory, in either order");
  CHECK(race.other.has_value());
  REQUIRE(report.origins.size() == 4);
  CHECK_FALSE(report.origins[0].of_other);
  CHECK(report.origins[1].of_other);
  CHECK(server_report_from_json(to_json(report)).origins == report.origins);
}

TEST_CASE("two calls in a loop that read too early and are overwritten too early are one race") {
  Device device;
  const Memory memory;
  const auto copy_beside = [&](int from, int to, cudaStream_t stream) {
    return cudaMemcpyAsync(memory.bytes + to, memory.bytes + from, 16, cudaMemcpyDeviceToDevice, stream);
  };
  for (int i = 0; i < 2; ++i) {
    const cudaStream_t stream = new_stream(cudaStreamNonBlocking);
    REQUIRE(cudaMemsetAsync(memory.bytes + 16 * i, 1, 16, stream) == cudaSuccess);
    REQUIRE(copy_beside(16 * (1 - i), 32 + 16 * i, stream) == cudaSuccess);
  }
  const ServerReport report = device.finish();
  const auto is_race = [](const Finding& finding) { return finding.id == "stream-race"; };
  REQUIRE(std::ranges::count_if(report.findings, is_race) == 1);
  const Finding& race = *std::ranges::find_if(report.findings, is_race);
  CHECK(race.message == "`cudaMemcpyAsync` may read what `cudaMemsetAsync` has not written yet");
  CHECK(race.note.find("and `cudaMemsetAsync` may overwrite what `cudaMemcpyAsync` still reads") != std::string::npos);
  CHECK(race.help.starts_with("launch what writes before all that reads it"));
}

TEST_CASE("memory that one stream allocates is there for another one that comes after it") {
  Device device;
  const cudaStream_t one = new_stream(cudaStreamNonBlocking), other = new_stream(cudaStreamNonBlocking);
  char* memory = nullptr;
  REQUIRE(cudaMallocAsync(reinterpret_cast<void**>(&memory), 64, one) == cudaSuccess);
  SECTION("no order") {
    fill(memory, other);
    const ServerReport report = device.finish();
    REQUIRE(report.findings.size() == 2);  // and the leak
    CHECK(report.findings[0].id == "stream-race");
    CHECK(report.findings[0].message ==
          "`cudaMemsetAsync` uses memory that `cudaMallocAsync` may not have allocated yet");
    CHECK(report.findings[0].other.has_value());
  }
  SECTION("the same stream") {
    fill(memory, one);
    CHECK_FALSE(races(device));
  }
  SECTION("an event") {
    cudaEvent_t allocated = nullptr;
    REQUIRE(cudaEventCreate(&allocated) == cudaSuccess);
    REQUIRE(cudaEventRecord(allocated, one) == cudaSuccess);
    REQUIRE(cudaStreamWaitEvent(other, allocated, 0) == cudaSuccess);
    fill(memory, other);
    CHECK_FALSE(races(device));
  }
  SECTION("a wait of the host") {
    REQUIRE(cudaStreamSynchronize(one) == cudaSuccess);
    fill(memory, other);
    CHECK_FALSE(races(device));
  }
  SECTION("a free that comes too early") {
    REQUIRE(cudaStreamSynchronize(one) == cudaSuccess);
    fill(memory, other);
    REQUIRE(cudaFreeAsync(memory, one) == cudaSuccess);
    const ServerReport report = device.finish();
    REQUIRE(report.findings.size() == 1);
    CHECK(report.findings[0].message == "`cudaFreeAsync` frees memory that `cudaMemsetAsync` may still use");
  }
}

TEST_CASE("other bytes, and reads of the same ones, need no order") {
  Device device;
  const Memory memory;
  char host[16] = {};
  const cudaStream_t one = new_stream(cudaStreamNonBlocking), other = new_stream(cudaStreamNonBlocking);
  SECTION("other bytes") {
    fill(memory.bytes, one);
    fill(memory.bytes + 16, other);
  }
  SECTION("two reads") {
    REQUIRE(cudaMemcpyAsync(host, memory.bytes, 16, cudaMemcpyDeviceToHost, one) == cudaSuccess);
    REQUIRE(cudaMemcpyAsync(host, memory.bytes, 16, cudaMemcpyDeviceToHost, other) == cudaSuccess);
  }
  CHECK_FALSE(races(device));
}

TEST_CASE("a wait orders two streams, unless it comes too early") {
  Device device;
  const Memory memory;
  const cudaStream_t one = new_stream(cudaStreamNonBlocking), other = new_stream(cudaStreamNonBlocking);
  const cudaEvent_t event = new_event(cudaEventDisableTiming);
  bool expected = false;
  SECTION("the host waits for the stream") {
    fill(memory.bytes, one);
    REQUIRE(cudaStreamSynchronize(one) == cudaSuccess);
  }
  SECTION("the host waits for the other stream") {
    fill(memory.bytes, one);
    REQUIRE(cudaStreamSynchronize(other) == cudaSuccess);
    expected = true;
  }
  SECTION("the host waits for the device") {
    fill(memory.bytes, one);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  }
  SECTION("the stream waits for an event after the fill, and the first stream is gone") {
    fill(memory.bytes, one);
    REQUIRE(cudaEventRecord(event, one) == cudaSuccess);
    REQUIRE(cudaStreamWaitEvent(other, event, 0) == cudaSuccess);
    REQUIRE(cudaStreamDestroy(one) == cudaSuccess);
  }
  SECTION("the event is recorded before the fill") {
    REQUIRE(cudaEventRecord(event, one) == cudaSuccess);
    fill(memory.bytes, one);
    REQUIRE(cudaStreamWaitEvent(other, event, 0) == cudaSuccess);
    expected = true;
  }
  SECTION("the stream waits before the event is recorded") {
    REQUIRE(cudaStreamWaitEvent(other, event, 0) == cudaSuccess);
    fill(memory.bytes, one);
    REQUIRE(cudaEventRecord(event, one) == cudaSuccess);
    expected = true;
  }
  fill(memory.bytes, other);
  CHECK(races(device) == expected);
}

TEST_CASE("a wait for an event that comes too late is shown at the race that it was to prevent") {
  Device device;
  const Memory memory;
  const cudaStream_t one = new_stream(cudaStreamNonBlocking), other = new_stream(cudaStreamNonBlocking);
  const cudaEvent_t event = new_event(cudaEventDisableTiming), unused = new_event(cudaEventDisableTiming);
  bool expected = false;
  SECTION("between the two") {
    fill(memory.bytes, one);
    REQUIRE(cudaStreamWaitEvent(other, event, 0) == cudaSuccess);
    REQUIRE(cudaEventRecord(event, one) == cudaSuccess);
    expected = true;
  }
  SECTION("before both, where there is nothing to wait for yet") {
    REQUIRE(cudaStreamWaitEvent(other, event, 0) == cudaSuccess);
    fill(memory.bytes, one);
  }
  SECTION("before both, for an event that is recorded after the first") {
    REQUIRE(cudaStreamWaitEvent(other, event, 0) == cudaSuccess);
    fill(memory.bytes, one);
    REQUIRE(cudaEventRecord(event, one) == cudaSuccess);
    expected = true;
  }
  SECTION("before both, for an event that is recorded before the first, too") {
    REQUIRE(cudaStreamWaitEvent(other, event, 0) == cudaSuccess);
    REQUIRE(cudaEventRecord(event, one) == cudaSuccess);
    fill(memory.bytes, one);
  }
  SECTION("of another stream") {
    fill(memory.bytes, one);
    REQUIRE(cudaStreamWaitEvent(new_stream(cudaStreamNonBlocking), unused, 0) == cudaSuccess);
  }
  SECTION("for an event that was recorded before") {
    REQUIRE(cudaEventRecord(event, one) == cudaSuccess);
    fill(memory.bytes, one);
    REQUIRE(cudaStreamWaitEvent(other, event, 0) == cudaSuccess);
  }
  fill(memory.bytes, other);
  const ServerReport report = device.finish();
  REQUIRE(!report.findings.empty());
  REQUIRE(report.findings[0].id == "stream-race");
  CHECK((report.findings[0].cause && report.findings[0].cause->label.starts_with("this waits for nothing")) ==
        expected);
  CHECK(report.findings[0].help.starts_with("call `cudaEventRecord`") == expected);
  const auto of_cause =
      std::ranges::count_if(report.origins, [](const auto& origin) { return origin.finding == 0 && origin.of_cause; });
  CHECK(of_cause == (report.findings[0].cause ? 1 : 0));
  CHECK(server_report_from_json(to_json(report)).findings == report.findings);
}

TEST_CASE("an event that does not stand for the first operation is shown where it was recorded") {
  Device device;
  const Memory memory;
  const cudaStream_t one = new_stream(cudaStreamNonBlocking), other = new_stream(cudaStreamNonBlocking);
  const cudaEvent_t event = new_event(cudaEventDisableTiming);
  std::string label;
  SECTION("before it, in its stream") {
    REQUIRE(cudaEventRecord(event, one) == cudaSuccess);
    fill(memory.bytes, one);
    REQUIRE(cudaStreamWaitEvent(other, event, 0) == cudaSuccess);
    label = "the event that the other stream waits for is recorded here, before `cudaMemsetAsync`";
  }
  SECTION("in the stream that waits") {
    fill(memory.bytes, one);
    REQUIRE(cudaEventRecord(event, other) == cudaSuccess);
    REQUIRE(cudaStreamWaitEvent(other, event, 0) == cudaSuccess);
    label = "the event is recorded here, in the stream that waits for it";
  }
  SECTION("of a third stream") {
    fill(memory.bytes, one);
    REQUIRE(cudaEventRecord(event, new_stream(cudaStreamNonBlocking)) == cudaSuccess);
    REQUIRE(cudaStreamWaitEvent(other, event, 0) == cudaSuccess);
  }
  SECTION("none") {
    fill(memory.bytes, one);
  }
  fill(memory.bytes, other);
  const ServerReport report = device.finish();
  REQUIRE(!report.findings.empty());
  REQUIRE(report.findings[0].id == "stream-race");
  CHECK((report.findings[0].cause ? report.findings[0].cause->label : "") == label);
  CHECK(std::ranges::count_if(report.origins, [](const auto& origin) {
          return origin.finding == 0 && origin.of_cause;
        }) == (label.empty() ? 0 : 1));
}

TEST_CASE("the default stream waits for blocking streams only, and they for it") {
  Device device;
  const Memory memory;
  const bool blocking = GENERATE(true, false);
  const cudaStream_t stream = new_stream(blocking ? cudaStreamDefault : cudaStreamNonBlocking);
  char host[16] = {};
  SECTION("a copy after a fill") {
    fill(memory.bytes, stream);
    REQUIRE(cudaMemcpy(host, memory.bytes, 16, cudaMemcpyDeviceToHost) == cudaSuccess);
  }
  SECTION("a fill after a fill") {
    fill(memory.bytes, nullptr);
    fill(memory.bytes, stream);
  }
  CHECK(races(device) == !blocking);
}

TEST_CASE("a copy that the host has waited for comes before everything") {
  Device device;
  const Memory memory;
  const char host[16] = {};
  REQUIRE(cudaMemcpy(memory.bytes, host, 16, cudaMemcpyHostToDevice) == cudaSuccess);
  fill(memory.bytes, new_stream(cudaStreamNonBlocking));
  CHECK_FALSE(races(device));
}

TEST_CASE("memory is freed in the order of a stream, or after everything") {
  Device device;
  const Memory memory;
  const cudaStream_t one = new_stream(cudaStreamNonBlocking), other = new_stream(cudaStreamNonBlocking);
  fill(memory.bytes, one);
  bool expected = false;
  SECTION("in the same stream") {
    REQUIRE(cudaFreeAsync(memory.bytes, one) == cudaSuccess);
  }
  SECTION("in another stream") {
    REQUIRE(cudaFreeAsync(memory.bytes, other) == cudaSuccess);
    expected = true;
  }
  SECTION("by cudaFree, which waits") {
    REQUIRE(cudaFree(memory.bytes) == cudaSuccess);
  }
  CHECK(races(device) == expected);
}

TEST_CASE("after a reset streams begin anew") {
  Device device;
  {
    const Memory memory;
    fill(memory.bytes, new_stream(cudaStreamNonBlocking));
  }
  REQUIRE(cudaDeviceReset() == cudaSuccess);
  const Memory memory;
  fill(memory.bytes, nullptr);
  CHECK_FALSE(races(device));
}

TEST_CASE("two sets of bytes are in conflict where one writes") {
  const TouchedBytes reads{{{10, 20}}, {}, {}}, writes{{}, {{0, 4}, {18, 30}}, {}}, atomics{{}, {}, {{12, 16}}};
  CHECK_FALSE(conflict(reads, reads));
  CHECK_FALSE(conflict(atomics, atomics));
  CHECK_FALSE(conflict(writes, TouchedBytes{}));
  CHECK_FALSE(conflict(writes, atomics));
  REQUIRE(conflict(reads, writes));
  CHECK(conflict(reads, writes)->bytes == ByteRange{18, 20});
  CHECK_FALSE(conflict(reads, writes)->first_writes);
  CHECK(conflict(reads, writes)->second_writes);
  CHECK(conflict(writes, writes)->bytes == ByteRange{0, 4});
  CHECK(conflict(atomics, reads)->bytes == ByteRange{12, 16});
}

TEST_CASE("launches of one line whose parts overlap are not asked for an order") {
  Device device;
  const auto run = [](std::uint64_t apart) {
    std::uint64_t launches = 0;
    KernelBody part{"wait", [&](fake::LaunchCall&) {
                      LaunchOutcome outcome{LaunchStatus::ok, 0, ""};
                      outcome.touched.writes = {{4096 + apart * launches, 4096 + apart * launches + 24}};
                      ++launches;
                      return outcome;
                    }};
    for (int i = 0; i < 2; ++i) {
      const cudaStream_t stream = new_stream(cudaStreamNonBlocking);
      launch_as_compiled(kernel("wait"), 1, 1, {}, 0, stream);
    }
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  };
  SECTION("parts that overlap") {
    run(12);
    const ServerReport report = device.finish();
    REQUIRE(has_finding(report, "stream-race"));
    const Finding& race = report.findings[0];
    CHECK(race.message == "the parts that two launches of `wait` write overlap");
    CHECK(race.note.starts_with("one launch writes 24 bytes of device memory, the other one 24, and both write 12"));
    CHECK(race.help.starts_with("let each element belong to one launch only"));
    CHECK_FALSE(race.other);
  }
  SECTION("the same memory") {
    run(0);
    const ServerReport report = device.finish();
    REQUIRE(has_finding(report, "stream-race"));
    CHECK(report.findings[0].other);
    CHECK(report.findings[0].help.starts_with("put both into one stream, or record an event after the first"));
    CHECK(report.findings[0].help.ends_with("but makes the host wait"));
  }
  SECTION("memory side by side") {
    run(24);
    CHECK_FALSE(races(device));
  }
}

TEST_CASE("parts that overlap at their borders are told from others in conflict") {
  const auto writing = [](std::vector<ByteRange> ranges) { return TouchedBytes{{{900, 950}}, std::move(ranges), {}}; };
  const auto overlap = written_overlap(writing({{0, 24}}), writing({{12, 36}}));
  REQUIRE(overlap);
  CHECK(overlap->bytes == 12);
  CHECK(overlap->of_first == 24);
  CHECK(overlap->of_second == 24);
  // Columns: a part of each row.
  const auto rows = written_overlap(writing({{20, 32}, {60, 72}}), writing({{16, 24}, {56, 64}}));
  REQUIRE(rows);
  CHECK(rows->bytes == 8);
  CHECK_FALSE(written_overlap(writing({{0, 24}}), writing({{24, 36}})));                      // side by side
  CHECK_FALSE(written_overlap(writing({{0, 24}}), writing({{0, 24}})));                       // the same
  CHECK_FALSE(written_overlap(writing({{0, 24}}), writing({{8, 16}})));                       // the one in the other
  CHECK_FALSE(written_overlap(writing({{0, 24}, {90, 94}}), writing({{12, 36}, {90, 94}})));  // and a place of both
  CHECK_FALSE(
      written_overlap(writing({{0, 24}}), TouchedBytes{{{0, 4}}, {{12, 36}}, {}}));  // the one reads the other's
  CHECK_FALSE(written_overlap(writing({{0, 24}}), TouchedBytes{{}, {{12, 36}}, {{50, 54}}}));
}

}  // namespace cudalabs::vgpu::test
