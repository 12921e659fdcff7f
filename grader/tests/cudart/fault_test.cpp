// Calls that are made to fail: the one that was asked for and no other, with the error the runtime would give, and a
// finding only where nobody looked.
#include <algorithm>

#include "catch/catch.h"
#include "device.h"

using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::test;

extern "C" cudaError_t cudalabs_hand_out();
extern "C" cudaError_t cudalabs_left_behind();
extern "C" cudaError_t cudalabs_next_function();

namespace {

const cudalabs::Finding* find(const ServerReport& report, const std::string& id) {
  const auto found = std::ranges::find(report.findings, id, &cudalabs::Finding::id);
  return found == report.findings.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("the n-th allocation fails, and only that") {
  Device device(device_model("t4"), {}, {.allocation = 2, .launch = 0});
  void *first = nullptr, *second = &device, *third = nullptr;
  CHECK(cudaMalloc(&first, 100) == cudaSuccess);
  CHECK(cudaMalloc(&second, 100) == cudaErrorMemoryAllocation);
  CHECK(second == nullptr);
  CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
  CHECK(cudaMalloc(&third, 100) == cudaSuccess);
  CHECK(cudaFree(first) == cudaSuccess);
  CHECK(cudaFree(third) == cudaSuccess);
  CHECK(device.finish().findings.empty());
}

TEST_CASE("the n-th launch fails, does not run, and leaves the context alive") {
  int runs = 0;
  const KernelBody body("empty", [&](fake::LaunchCall&) {
    ++runs;
    return LaunchOutcome{};
  });
  Device device(device_model("t4"), {}, {.allocation = 0, .launch = 2});
  for (int launch = 1; launch <= 3; ++launch) {
    launch_as_compiled(kernel("empty"), 1, 1);
    CHECK(cudaGetLastError() == (launch == 2 ? cudaErrorLaunchOutOfResources : cudaSuccess));
  }
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(runs == 2);
  CHECK(device.finish().findings.empty());
}

TEST_CASE("a launch that was made to fail is a finding when nobody looks") {
  Device device(device_model("t4"), {}, {.allocation = 0, .launch = 1});
  launch_as_compiled(kernel("empty"), 1, 1);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  const ServerReport report = device.finish();
  CHECK(find(report, "invalid-launch") == nullptr);
  const cudalabs::Finding* finding = find(report, "unchecked-launch");
  REQUIRE(finding != nullptr);
  CHECK(finding->kernel == "empty");
  CHECK(finding->note.find("made to fail") != std::string::npos);
}

TEST_CASE("the kernel of the n-th launch runs, fails, and takes the context with it") {
  int runs = 0;
  const KernelBody body("empty", [&](fake::LaunchCall&) {
    ++runs;
    return LaunchOutcome{};
  });
  Device device(device_model("t4"), {}, {.allocation = 0, .launch = 0, .kernel = 2});
  launch_as_compiled(kernel("empty"), 1, 1);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  launch_as_compiled(kernel("empty"), 1, 1);
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  CHECK(runs == 2);
  CHECK(device.finish().findings.empty());
}

TEST_CASE("a kernel can be made to fail by an illegal address") {
  const KernelBody body("empty", [](fake::LaunchCall&) { return LaunchOutcome{}; });
  Device device(device_model("t4"), {}, {.kernel = 1, .illegal_address = 1});
  launch_as_compiled(kernel("empty"), 1, 1);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  CHECK(cudaGetLastError() == cudaErrorIllegalAddress);
  CHECK(device.finish().findings.empty());
}

TEST_CASE("a kernel that was made to fail is a finding when nobody looks") {
  Device device(device_model("t4"), {}, {.allocation = 0, .launch = 0, .kernel = 1});
  launch_as_compiled(kernel("empty"), 1, 1);
  CHECK(find(device.finish(), "unchecked-launch") != nullptr);
}

TEST_CASE("a launch that is refused anyway is not counted") {
  Device device(device_model("t4"), {}, {.allocation = 0, .launch = 1});
  launch_as_compiled(kernel("empty"), 1, 4096);
  CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
  launch_as_compiled(kernel("empty"), 1, 1);
  CHECK(cudaGetLastError() == cudaErrorLaunchOutOfResources);
  CHECK(find(device.finish(), "invalid-launch") != nullptr);
}

TEST_CASE("a harness that asks what was left behind does not look for the program") {
  Device device(device_model("t4"), {}, {.allocation = 0, .launch = 1});
  launch_as_compiled(kernel("empty"), 1, 1);
  CHECK(cudalabs_left_behind() == cudaErrorLaunchOutOfResources);
  CHECK(cudalabs_left_behind() == cudaSuccess);
  CHECK(find(device.finish(), "unchecked-launch") != nullptr);
}

TEST_CASE("launches and allocations can be counted from a function of the harness on") {
  Device device(device_model("t4"), {}, {.allocation = 1, .launch = 1, .function = 2});
  const auto allocate = [] {
    void* memory = nullptr;
    const cudaError_t error = cudaMalloc(&memory, 100);
    if (error == cudaSuccess) CHECK(cudaFree(memory) == cudaSuccess);
    return error;
  };
  const auto launch = [] {
    launch_as_compiled(kernel("empty"), 1, 1);
    return cudaGetLastError();
  };
  CHECK(allocate() == cudaSuccess);
  CHECK(launch() == cudaSuccess);
  CHECK(launch() == cudaSuccess);
  CHECK(cudalabs_next_function() == cudaSuccess);
  CHECK(allocate() == cudaErrorMemoryAllocation);
  CHECK(launch() == cudaErrorLaunchOutOfResources);
  CHECK(cudalabs_next_function() == cudaSuccess);
  CHECK(allocate() == cudaSuccess);
  CHECK(launch() == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(device.finish().findings.empty());
}

TEST_CASE("calls that fail can be counted from the time on that the harness hands everything out once more") {
  Device device(device_model("t4"), {}, {.allocation = 2, .function = 2, .earlier = 1});
  const auto allocate = [] {
    void* memory = nullptr;
    const cudaError_t error = cudaMalloc(&memory, 100);
    if (error == cudaSuccess) CHECK(cudaFree(memory) == cudaSuccess);
    return error;
  };
  CHECK(allocate() == cudaSuccess);
  for (const bool counts : {false, true}) {
    CHECK(cudalabs_hand_out() == cudaSuccess);
    CHECK(allocate() == cudaSuccess);
    CHECK(allocate() == cudaSuccess);
    CHECK(cudalabs_next_function() == cudaSuccess);
    CHECK(allocate() == cudaSuccess);
    CHECK(allocate() == (counts ? cudaErrorMemoryAllocation : cudaSuccess));
  }
  CHECK(device.finish().findings.empty());
}

TEST_CASE("calls that fail may end with one of the times that the harness hands everything out") {
  Device device(device_model("t4"), {}, {.allocation = 3, .last = 1});
  const auto allocate = [] {
    void* memory = nullptr;
    const cudaError_t error = cudaMalloc(&memory, 100);
    if (error == cudaSuccess) CHECK(cudaFree(memory) == cudaSuccess);
    return error;
  };
  CHECK(cudalabs_hand_out() == cudaSuccess);
  CHECK(allocate() == cudaSuccess);
  CHECK(allocate() == cudaSuccess);
  CHECK(cudalabs_hand_out() == cudaSuccess);
  CHECK(allocate() == cudaSuccess);  // the third of all, and the first of those that no longer fail
  CHECK(allocate() == cudaSuccess);
  CHECK(device.finish().findings.empty());

  Device other(device_model("t4"), {}, {.allocation = 2, .last = 1});
  CHECK(cudalabs_hand_out() == cudaSuccess);
  CHECK(allocate() == cudaSuccess);
  CHECK(allocate() == cudaErrorMemoryAllocation);
  CHECK(cudalabs_hand_out() == cudaSuccess);
  for (int i = 0; i < 3; ++i) CHECK(allocate() == cudaSuccess);
  CHECK(other.finish().findings.empty());
}

TEST_CASE("where no earlier call is left out, calls count from the program's beginning") {
  Device device(device_model("t4"), {}, {.allocation = 2});
  void* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 100) == cudaSuccess);
  CHECK(cudalabs_hand_out() == cudaSuccess);
  void* second = nullptr;
  CHECK(cudaMalloc(&second, 100) == cudaErrorMemoryAllocation);
  CHECK(cudaFree(memory) == cudaSuccess);
  CHECK(device.finish().findings.empty());
}
