// Inputs that a harness declares: which calls of the host write to them.
#include <cstdint>
#include <cstring>

#include "catch/catch.h"
#include "device.h"

using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::test;

extern "C" cudaError_t cudalabs_declare_input(const void* pointer, size_t bytes, size_t element_bytes, const char* name,
                                              const std::uint64_t* extents);

namespace {

constexpr size_t kBytes = 400;

/// Two arrays, of which `a` may only be read.
struct Arrays {
  char host[kBytes] = {};
  char *a = nullptr, *b = nullptr;

  Arrays() {
    REQUIRE(cudaMalloc(reinterpret_cast<void**>(&a), kBytes) == cudaSuccess);
    REQUIRE(cudaMalloc(reinterpret_cast<void**>(&b), kBytes) == cudaSuccess);
    REQUIRE(cudaMemcpy(a, host, kBytes, cudaMemcpyHostToDevice) == cudaSuccess);
    REQUIRE(cudalabs_declare_input(a, kBytes, 4, "a", nullptr) == cudaSuccess);
  }
};

std::vector<std::string> messages(const ServerReport& report) {
  std::vector<std::string> messages;
  for (const cudalabs::Finding& finding : report.findings)
    if (finding.id == "input-overwritten") messages.push_back(finding.message);
  return messages;
}

}  // namespace

TEST_CASE("copies and fills into an input are found, each call at its line") {
  Device device;
  Arrays arrays;
  CHECK(cudaMemcpy(arrays.a + 8, arrays.host, 4, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpy(arrays.a, arrays.b, 4, cudaMemcpyDeviceToDevice) == cudaSuccess);
  for (int i = 0; i < 3; ++i) CHECK(cudaMemset(arrays.a + 396, 0, 4) == cudaSuccess);
  const ServerReport report = device.finish();
  CHECK(messages(report) ==
        std::vector<std::string>{"`cudaMemcpy` writes to `a[2]`, which the function may only read",
                                 "`cudaMemcpy` writes to `a[0]`, which the function may only read",
                                 "`cudaMemset` writes to `a[99]`, which the function may only read"});
  CHECK(report.findings.at(2).count == 3);
  CHECK(report.origins.size() >= 3);
}

TEST_CASE("rows beside an input's bytes do not write to it") {
  Device device;
  Arrays arrays;
  // The allocations lie 512 bytes apart: columns of an array that runs from one into the other cannot be.
  CHECK(cudaMemset2D(arrays.a, 40, 1, 4, 10) == cudaSuccess);
  CHECK(cudaMemset2D(arrays.b, 40, 1, 4, 10) == cudaSuccess);
  CHECK(messages(device.finish()).size() == 1);
}

TEST_CASE("reading an input, and writing to what is none, is fine") {
  Device device;
  Arrays arrays;
  CHECK(cudaMemcpy(arrays.host, arrays.a, kBytes, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(cudaMemcpy(arrays.b, arrays.a, kBytes, cudaMemcpyDeviceToDevice) == cudaSuccess);
  CHECK(cudaMemset(arrays.b, 0, kBytes) == cudaSuccess);
  CHECK(cudaMemset(arrays.a, 0, 0) == cudaSuccess);
  CHECK(cudaFree(arrays.a) == cudaSuccess);  // and with it the declaration goes
  CHECK(messages(device.finish()).empty());
}

TEST_CASE("an element of a declared array has a subscript for each dimension") {
  Device device;
  Arrays arrays;
  const std::uint64_t extents[3] = {4, 25, 0};
  REQUIRE(cudalabs_declare_input(arrays.b, kBytes, 4, "b", extents) == cudaSuccess);
  CHECK(cudaMemset(arrays.b + 4 * (25 + 3), 0, 4) == cudaSuccess);
  CHECK(messages(device.finish()) ==
        std::vector<std::string>{"`cudaMemset` writes to `b[1][3]`, which the function may only read"});
}

TEST_CASE("what is no array on the device cannot be declared") {
  Device device;
  Arrays arrays;
  CHECK(cudalabs_declare_input(arrays.host, kBytes, 4, "a", nullptr) == cudaErrorInvalidValue);
  CHECK(cudalabs_declare_input(arrays.a, kBytes + 1, 4, "a", nullptr) == cudaErrorInvalidValue);
  CHECK(cudalabs_declare_input(arrays.a, kBytes, 0, "a", nullptr) == cudaErrorInvalidValue);
  CHECK(cudalabs_declare_input(arrays.a, kBytes, 4, std::string(80, 'a').c_str(), nullptr) == cudaErrorInvalidValue);
}
