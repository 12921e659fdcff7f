// What a kernel read and nobody had written: which array it is, and whether the program fills it later.
#include <cstdint>
#include <vector>

#include "catch/catch.h"
#include "device.h"
#include "streams.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::vgpu::test {
namespace {

constexpr std::size_t kBytes = 64;

void* fresh_array() {
  void* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, kBytes) == cudaSuccess);
  return memory;
}

void launch_empty() {
  launch_as_compiled(kernel("empty"), 1, 1);
}

void fill_from_host(void* memory, std::size_t bytes = kBytes) {
  const std::vector<char> content(bytes);
  REQUIRE(cudaMemcpy(memory, content.data(), bytes, cudaMemcpyHostToDevice) == cudaSuccess);
}

/// The launch of this number has read the array's last bytes, which nobody had written.
class Unwritten {
 public:
  Unwritten(const void* array, std::uint64_t number) {
    Finding finding;
    finding.id = finding_ids::kUninitializedRead;
    finding.message = "read of global memory that nobody has written";
    finding.kernel = "k";
    finding.address = reinterpret_cast<std::uintptr_t>(array) + kBytes - 4;
    finding.other = OtherPlace{"this array is allocated here", {}, {}, {}, PlaceRole::allocation};
    finding.launch.number = number;
    fake::kernel_findings() = {finding};
  }
  ~Unwritten() { fake::kernel_findings().clear(); }
  Unwritten(const Unwritten&) = delete;
  Unwritten& operator=(const Unwritten&) = delete;
};

/// "filled", "allocated" or "": what stands beside the finding, which has an origin if there is something.
std::string beside(Device& device, const void* array, std::uint64_t number) {
  const Unwritten unwritten(array, number);
  const ServerReport report = device.finish();
  REQUIRE(!report.findings.empty());
  const Finding& finding = report.findings.front();
  const bool placed = !report.origins.empty() && report.origins[0].finding == 0 && report.origins[0].of_other;
  CHECK(placed == finding.other.has_value());
  if (!finding.other) return "";
  CHECK((finding.help == "move this call before the launch of `k`: a kernel uses what its arrays hold when it runs") ==
        (finding.other->label == "`cudaMemcpy` fills it here, too late"));
  return finding.other->label.ends_with("too late") ? "filled" : "allocated";
}

}  // namespace

TEST_CASE("the copy that fills an array after the launch that reads it is shown") {
  Device device;
  void* const array = fresh_array();
  launch_empty();
  fill_from_host(array);
  SECTION("and the array is freed") {
    REQUIRE(cudaFree(array) == cudaSuccess);
  }
  SECTION("and it is not") {}
  CHECK(beside(device, array, 1) == "filled");
}

TEST_CASE("a copy before the launch, or of other bytes, says nothing") {
  Device device;
  void* const array = fresh_array();
  SECTION("before") {
    fill_from_host(array);
    launch_empty();
  }
  SECTION("its first half") {
    launch_empty();
    fill_from_host(array, kBytes / 2);
  }
  SECTION("the launch after it") {
    launch_empty();
    fill_from_host(array);
    launch_empty();
    CHECK(beside(device, array, 2) == "allocated");
    return;
  }
  CHECK(beside(device, array, 1) == "allocated");
}

TEST_CASE("an array that lies where another was is told apart from it") {
  Device device;
  void* const first = fresh_array();
  launch_empty();
  REQUIRE(cudaFree(first) == cudaSuccess);
  void* const second = fresh_array();
  launch_empty();
  fill_from_host(second);
  if (first == second) CHECK(beside(device, first, 1) == "allocated");
  if (first != second) CHECK(beside(device, second, 2) == "filled");
}

TEST_CASE("of a launch that is not known there is no array") {
  Device device;
  void* const array = fresh_array();
  launch_empty();
  CHECK(beside(device, array, 7) == "");
}

TEST_CASE("the launch that writes an array after the one that has read it is shown, with that one") {
  Device device;
  void* const array = fresh_array();
  launch_empty();
  launch_empty();
  const Unwritten unwritten(array, 1);
  fake::late_writer() = LateWriter{"filler", 2};
  const ServerReport report = device.finish();
  fake::late_writer().reset();
  REQUIRE(!report.findings.empty());
  const Finding& finding = report.findings.front();
  CHECK(finding.message == "read of global memory that nobody has written yet: a later launch of `filler` writes it");
  REQUIRE(finding.other);
  CHECK(finding.other->label == "this launch of `filler` writes it, too late");
  CHECK(finding.other->role == cudalabs::PlaceRole::late_launch);
  CHECK(finding.other->name == "filler");
  REQUIRE(report.origins.size() >= 2);
  CHECK(report.origins[0].of_other);
  CHECK(report.origins[1].of_launch);
}

TEST_CASE("a copy in another stream that comes too late has the wrong order, and its race says so") {
  Device device;
  void* const array = fresh_array();
  const auto at = reinterpret_cast<std::uintptr_t>(array);
  const KernelBody reader{"empty", [at](fake::LaunchCall&) {
                            LaunchOutcome outcome;
                            outcome.touched.reads.push_back({at, at + kBytes});
                            return outcome;
                          }};
  void* from = nullptr;
  REQUIRE(cudaMallocHost(&from, kBytes) == cudaSuccess);
  const cudaStream_t reading = new_stream(), filling = new_stream();
  const cudaEvent_t event = new_event();
  bool race = true, by_event = false;
  SECTION("no event") {}
  SECTION("an event that is recorded too early") {
    REQUIRE(cudaEventRecord(event, reading) == cudaSuccess);
    REQUIRE(cudaStreamWaitEvent(filling, event) == cudaSuccess);
    by_event = true;
  }
  launch_as_compiled(kernel("empty"), 1, 1, {}, 0, reading);
  SECTION("an event") {
    REQUIRE(cudaEventRecord(event, reading) == cudaSuccess);
    REQUIRE(cudaStreamWaitEvent(filling, event) == cudaSuccess);
    race = false;
  }
  REQUIRE(cudaMemcpyAsync(array, from, kBytes, cudaMemcpyHostToDevice, filling) == cudaSuccess);
  const Unwritten unwritten(array, 1);
  const ServerReport report = device.finish();
  REQUIRE(!report.findings.empty());
  const Finding& read = report.findings.front();
  REQUIRE(read.other);
  CHECK(read.other->label == "`cudaMemcpyAsync` fills it here, too late");
  CHECK(
      read.help ==
      (race
           ? "the two are a `stream-race`, too: let `cudaMemcpyAsync` come before the launch of `k`, in one stream; or "
             "let the launch's stream wait for an event that is recorded after `cudaMemcpyAsync`"
           : "move this call before the launch of `k`: a kernel uses what its arrays hold when it runs"));
  CHECK(has_finding(report, "stream-race") == race);
  for (const Finding& finding : report.findings) {
    if (finding.id != finding_ids::kStreamRace) continue;
    CHECK(finding.help.ends_with(". Let `cudaMemcpyAsync` be the first of the two: `k` reads what it writes") ==
          !by_event);
  }
}

TEST_CASE("of several allocations of one call the one that leaks is counted, and the free of the others shown") {
  Device device;
  const auto allocate = [](std::vector<void*>& all) {
    for (void*& each : all) REQUIRE(cudaMalloc(&each, kBytes) == cudaSuccess);
  };
  std::vector<void*> all(3);
  allocate(all);
  std::string note;
  SECTION("the first") {
    for (std::size_t i = 1; i < all.size(); ++i) REQUIRE(cudaFree(all[i]) == cudaSuccess);
    note = "it is the first of the 3 allocations made here";
  }
  SECTION("the second, and the others by several calls") {
    REQUIRE(cudaFree(all[0]) == cudaSuccess);
    REQUIRE(cudaFree(all[2]) == cudaSuccess);
    note = "it is number 2 of the 3 allocations made here";
  }
  SECTION("the last") {
    for (std::size_t i = 0; i < 2; ++i) REQUIRE(cudaFree(all[i]) == cudaSuccess);
    note = "it is the last of the 3 allocations made here";
  }
  SECTION("two of them") {
    REQUIRE(cudaFree(all[2]) == cudaSuccess);
  }
  const ServerReport report = device.finish();
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].note == note);
  CHECK(report.findings[0].last_of_call == note.starts_with("it is the last"));
  const bool by_one = report.findings[0].last_of_call || note.starts_with("it is the first");
  CHECK(report.findings[0].other.has_value() == by_one);
  if (by_one) CHECK(report.findings[0].other->role == cudalabs::PlaceRole::freeing);
}

/// As the function of a header around the runtime's own, which is called in two lines of a program. Room of a size that
/// the compiler does not know makes it keep a frame pointer.
[[gnu::noinline]] cudaError_t allocate_one(void** pointer, std::size_t room) {
  volatile char* const kept = static_cast<char*>(__builtin_alloca(room));
  *kept = 0;
  return cudaMalloc(pointer, kBytes);
}

TEST_CASE("allocations that a function makes for two lines are none of one line") {
  Device device;
  void *first = nullptr, *second = nullptr;
  REQUIRE(allocate_one(&first, 8) == cudaSuccess);
  REQUIRE(allocate_one(&second, 8) == cudaSuccess);
  REQUIRE(cudaFree(second) == cudaSuccess);
  const ServerReport report = device.finish();
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].note.empty());
}

}  // namespace cudalabs::vgpu::test
