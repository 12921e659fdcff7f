// Frees of what is not the program's to free.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "catch/catch.h"
#include "device.h"
#include "vgpu/cudart/server/freed_blocks.h"

extern "C" cudaError_t cudalabs_declare_input(const void* pointer, size_t bytes, size_t element_bytes, const char* name,
                                              const std::uint64_t* extents);
extern "C" cudaError_t cudalabs_declare_output(const void* pointer, size_t bytes, size_t element_bytes,
                                               const char* name, const std::uint64_t* extents);
extern "C" cudaError_t cudalabs_take_back();
extern "C" cudaError_t cudalabs_left_behind();

namespace cudalabs::vgpu::test {
namespace {

std::vector<std::string> messages(const ServerReport& report) {
  std::vector<std::string> found;
  for (const Finding& finding : report.findings)
    if (finding.id == "invalid-free") found.push_back(finding.message);
  return found;
}

float* allocated() {
  void* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 64) == cudaSuccess);
  return static_cast<float*>(memory);
}

}  // namespace

TEST_CASE("a free of what cannot be freed is a finding that says what it was, and leaves no error to a harness") {
  Device device;
  float* const memory = allocated();
  std::string expected;
  SECTION("freed twice") {
    REQUIRE(cudaFree(memory) == cudaSuccess);
    CHECK(cudaFree(memory) == cudaErrorInvalidValue);
    expected = "`cudaFree` frees memory that is free already";
  }
  SECTION("into the middle") {
    CHECK(cudaFree(memory + 1) == cudaErrorInvalidValue);
    expected = "`cudaFree` gets a pointer into an array, not to its begin";
  }
  SECTION("host memory") {
    float host = 0;
    CHECK(cudaFree(&host) == cudaErrorInvalidValue);
    expected = "`cudaFree` gets a pointer that `cudaMalloc` did not give, such as one to host memory";
  }
  SECTION("cudaFreeHost of other memory") {
    float host = 0;
    CHECK(cudaFreeHost(&host) == cudaErrorInvalidValue);
    expected = "`cudaFreeHost` frees memory that `cudaMallocHost` did not give, or that is free already";
  }
  CHECK(cudalabs_left_behind() == cudaSuccess);
  const ServerReport report = device.finish();
  CHECK(messages(report) == std::vector{expected});
  CHECK(report.findings.at(0).wrong_pointer == (expected.find("did not give") != std::string::npos));
}

TEST_CASE("memory that is freed twice shows where it was freed first") {
  Device device;
  float* const memory = allocated();
  REQUIRE(cudaFree(memory) == cudaSuccess);
  CHECK(cudaFree(memory) == cudaErrorInvalidValue);
  const ServerReport report = device.finish();
  REQUIRE(report.findings.size() == 1);
  REQUIRE(report.findings[0].other);
  CHECK(report.findings[0].other->label == "it was freed here");
  CHECK(report.findings[0].other->role == cudalabs::PlaceRole::freeing);
  REQUIRE(report.origins.size() == 2);
  CHECK(std::ranges::count(report.origins, true, &FindingOrigin::of_other) == 1);
  CHECK(report.origins[0].origin != report.origins[1].origin);
}

TEST_CASE("a copy or a fill of memory that is free already is a finding that shows where it was freed") {
  Device device;
  float* const memory = allocated();
  float host[16] = {};
  std::string expected;
  REQUIRE(cudaFree(memory) == cudaSuccess);
  SECTION("to the host") {
    CHECK(cudaMemcpy(host, memory, 64, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
    expected = "`cudaMemcpy` reads memory that is free already";
  }
  SECTION("to the device, into the middle") {
    CHECK(cudaMemcpyAsync(memory + 8, host, 32, cudaMemcpyHostToDevice, nullptr) == cudaErrorInvalidValue);
    expected = "`cudaMemcpyAsync` writes memory that is free already";
  }
  SECTION("a fill, twice") {
    for (int i = 0; i < 2; ++i) CHECK(cudaMemset(memory, 0, 64) == cudaErrorInvalidValue);
    expected = "`cudaMemset` writes memory that is free already";
  }
  const ServerReport report = device.finish();
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].id == "use-after-free");
  CHECK(report.findings[0].message == expected);
  REQUIRE(report.findings[0].other);
  CHECK(report.findings[0].other->label == "it was freed here");
  CHECK(report.findings[0].other->role == cudalabs::PlaceRole::freeing);
  CHECK(std::ranges::count(report.origins, true, &FindingOrigin::of_other) == 1);
}

TEST_CASE("a copy to memory that was freed and allocated again is in order") {
  Device device;
  REQUIRE(cudaFree(allocated()) == cudaSuccess);
  float* const memory = allocated();
  CHECK(cudaMemset(memory, 0, 64) == cudaSuccess);
  CHECK(cudaFree(memory) == cudaSuccess);
  CHECK(device.finish().findings.empty());
}

TEST_CASE("every byte that was freed is known by the call that freed it, up to a number of blocks") {
  FreedBlocks freed(2);
  freed.add(1000, 64, {1, 0});
  freed.add(2000, 1, {2, 0});
  freed.add(3000, 64, {3, 0});
  freed.add(1000, 32, {4, 0});
  const auto by = [&](std::uint64_t address) {
    const CallOrigin* call = freed.freed_by(address);
    return call == nullptr ? 0 : call->address;
  };
  CHECK(by(999) == 0);
  CHECK(by(1000) == 4);
  CHECK(by(1031) == 4);
  CHECK(by(1032) == 0);
  CHECK(by(2000) == 2);
  CHECK(by(3000) == 0);
  CHECK(freed.begins_at(1000));
  CHECK_FALSE(freed.begins_at(1001));
}

TEST_CASE("another error is left behind as before") {
  Device device;
  float host = 0;
  CHECK(cudaFree(&host) == cudaErrorInvalidValue);
  CHECK(cudaMemset(&host, 0, 4) != cudaSuccess);
  CHECK(cudalabs_left_behind() != cudaSuccess);
}

TEST_CASE("the caller's arrays are not to be freed until the caller takes them back") {
  Device device;
  float *const input = allocated(), *const output = allocated(), *const own = allocated();
  REQUIRE(cudalabs_declare_input(input, 64, 4, "a", nullptr) == cudaSuccess);
  REQUIRE(cudalabs_declare_output(output, 64, 4, "c", nullptr) == cudaSuccess);
  REQUIRE(cudaMemset(output, 0, 64) == cudaSuccess);  // it may be written
  std::vector<std::string> expected;
  SECTION("by the program") {
    CHECK(cudaFree(input) == cudaSuccess);
    expected = {"`cudaFree` frees `a`, which belongs to the caller"};
  }
  SECTION("also the output") {
    CHECK(cudaFreeAsync(output, nullptr) == cudaSuccess);
    expected = {"`cudaFreeAsync` frees `c`, which belongs to the caller"};
  }
  SECTION("by the caller") {
    CHECK(cudaFree(own) == cudaSuccess);
    REQUIRE(cudalabs_take_back() == cudaSuccess);
    CHECK(cudaFree(input) == cudaSuccess);
    CHECK(cudaFree(output) == cudaSuccess);
  }
  const ServerReport report = device.finish();
  CHECK(messages(report) == expected);
  CHECK_FALSE(has_finding(report, "input-overwritten"));
}

TEST_CASE("what nothing wrote of an output is told when its caller copies it back") {
  Device device;
  float* const output = allocated();
  REQUIRE(cudalabs_declare_output(output, 64, 4, "c", nullptr) == cudaSuccess);
  char host[64];
  REQUIRE(cudaMemcpy(host, output, 64, cudaMemcpyDeviceToHost) == cudaSuccess);  // the program's own
  REQUIRE(cudalabs_take_back() == cudaSuccess);
  REQUIRE(cudaMemcpy(host, output, 32, cudaMemcpyDeviceToHost) == cudaSuccess);  // not the whole
  REQUIRE(cudaMemcpy(host, output, 64, cudaMemcpyDeviceToHost) == cudaSuccess);
  REQUIRE(cudaMemcpy(host, output, 64, cudaMemcpyDeviceToHost) == cudaSuccess);
  const ServerReport report = device.finish();
  CHECK(report.gaps == std::vector<OutputGaps>{{"c", {{16, 64}}}});  // the device has written the first 16 bytes
}

}  // namespace cudalabs::vgpu::test
