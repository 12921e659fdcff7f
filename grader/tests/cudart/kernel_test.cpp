// Launches through the runtime API: parameters, configurations, attributes, occupancy, device code that does not load.
#include <cstring>

#include "catch/catch.h"
#include "device.h"

using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::test;

namespace {

struct Record {
  double a;
  int b;
  char c[9];
};
static_assert(sizeof(Record) == 24);

}  // namespace

TEST_CASE("every parameter arrives") {
  std::vector<std::byte> seen;
  LaunchConfig seen_config;
  const KernelBody body("mixed", [&](fake::LaunchCall& call) {
    seen.assign(call.parameters.begin(), call.parameters.end());
    seen_config = call.config;
    return LaunchOutcome{LaunchStatus::ok, 0.5, ""};
  });
  Device device;
  char c = 'x';
  short s = -2;
  int i = 1 << 30;
  long long l = -(1ll << 60);
  float f = 1.5f;
  Record r{2.5, 7, "abcdefgh"};
  void* p = &device;
  launch_as_compiled(kernel("mixed"), dim3(2, 3, 4), dim3(5, 6, 7), {&c, &s, &i, &l, &f, &r, &p}, 100);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  REQUIRE(seen.size() == 56);
  const auto at = [&](std::size_t offset, const auto& value) {
    return std::memcmp(seen.data() + offset, &value, sizeof value) == 0;
  };
  CHECK(at(0, c));
  CHECK(at(2, s));
  CHECK(at(4, i));
  CHECK(at(8, l));
  CHECK(at(16, f));
  CHECK(at(24, r));
  CHECK(at(48, p));
  CHECK(seen_config.grid == cudalabs::Index3{2, 3, 4});
  CHECK(seen_config.block == cudalabs::Index3{5, 6, 7});
  CHECK(seen_config.dynamic_shared_bytes == 100);
  const ServerReport report = device.finish();
  CHECK(report.launch_count == 1);
  REQUIRE(report.launches.size() == 1);
  CHECK(report.launches[0].kernel == "mixed");
  CHECK(report.kernel_seconds == Approx(0.5));
}

TEST_CASE("a kernel changes memory that the host then reads") {
  const KernelBody body("add", [](fake::LaunchCall& call) {
    const auto n = call.parameter<int>(24);
    std::vector<float> a(static_cast<std::size_t>(n)), b(a), c(a);
    call.gpu.copy_out(std::as_writable_bytes(std::span(a)), call.parameter<DeviceAddress>(0));
    call.gpu.copy_out(std::as_writable_bytes(std::span(b)), call.parameter<DeviceAddress>(8));
    for (std::size_t i = 0; i < a.size(); ++i) c[i] = a[i] + b[i];
    call.gpu.copy_in(call.parameter<DeviceAddress>(16), std::as_bytes(std::span(c)));
    return LaunchOutcome{};
  });
  Device device;
  const int n = 1000;
  const std::vector<float> ones(1000, 1.0f), twos(1000, 2.0f);
  void *a = nullptr, *b = nullptr, *c = nullptr;
  for (void** p : {&a, &b, &c}) REQUIRE(cudaMalloc(p, 4000) == cudaSuccess);
  REQUIRE(cudaMemcpy(a, ones.data(), 4000, cudaMemcpyHostToDevice) == cudaSuccess);
  REQUIRE(cudaMemcpy(b, twos.data(), 4000, cudaMemcpyHostToDevice) == cudaSuccess);
  int count = n;
  launch_as_compiled(kernel("add"), 4, 256, {&a, &b, &c, &count});
  std::vector<float> sum(1000);
  REQUIRE(cudaMemcpy(sum.data(), c, 4000, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(sum == std::vector<float>(1000, 3.0f));
  for (void* p : {a, b, c}) CHECK(cudaFree(p) == cudaSuccess);
  CHECK(device.finish().findings.empty());
}

TEST_CASE("launches the device refuses") {
  Device device;
  const auto launched = [&](const char* name, dim3 grid, dim3 block, std::size_t shared = 0) {
    void* no_arguments[1] = {};
    return cudaLaunchKernel(kernel(name), grid, block, no_arguments, shared, nullptr);
  };
  CHECK(launched("empty", 1, 1024) == cudaSuccess);
  CHECK(launched("empty", 1, 1025) == cudaErrorInvalidConfiguration);
  CHECK(launched("empty", 1, dim3(32, 33)) == cudaErrorInvalidConfiguration);
  CHECK(launched("empty", 1, dim3(1u << 16, 1u << 16, 1u << 31)) == cudaErrorInvalidConfiguration);
  CHECK(launched("empty", 1, dim3(1, 1, 65)) == cudaErrorInvalidConfiguration);
  CHECK(launched("empty", 1, 0) == cudaErrorInvalidConfiguration);
  CHECK(launched("empty", 0, 1) == cudaErrorInvalidConfiguration);
  CHECK(launched("empty", dim3(1, 0, 1), 1) == cudaErrorInvalidConfiguration);
  CHECK(launched("empty", dim3(1, 65536), 1) == cudaErrorInvalidConfiguration);
  CHECK(launched("empty", 0x80000000u, 1) == cudaErrorInvalidConfiguration);
  CHECK(launched("bounded", 1, 256) == cudaSuccess);
  CHECK(launched("bounded", 1, 257) == cudaErrorLaunchOutOfResources);
  CHECK(launched("greedy", 1, 512) == cudaSuccess);
  CHECK(launched("greedy", 1, 513) == cudaSuccess);  // registers are an estimate and refuse nothing
  CHECK(launched("tiled", 1, 1, 9152) == cudaSuccess);
  CHECK(launched("tiled", 1, 1, 9153) == cudaErrorInvalidValue);
  CHECK(launched("nobody", 1, 1) == cudaErrorInvalidDeviceFunction);
  CHECK(launched("absent", 1, 1) == cudaErrorInvalidDeviceFunction);
  CHECK(cudaLaunchKernel(kernel("empty"), 1, 1, nullptr, 0, nullptr) == cudaSuccess);
  CHECK(cudaLaunchKernel(kernel("add"), 1, 1, nullptr, 0, nullptr) == cudaErrorInvalidValue);
  void* no_arguments[1] = {};
  CHECK(cudaLaunchKernel(kernel("empty"), 1, 1, no_arguments, 0, reinterpret_cast<cudaStream_t>(12345)) ==
        cudaErrorInvalidResourceHandle);
  const ServerReport report = device.finish();
  CHECK(report.launch_count == 6);
  // Explicit launches return their status to the program: refused, but not unchecked.
  CHECK(has_finding(report, "invalid-launch"));
  CHECK_FALSE(has_finding(report, "unchecked-launch"));
}

TEST_CASE("a cooperative launch reaches the device as one, and is refused when its blocks cannot all run") {
  bool cooperative = false;
  const KernelBody body("empty", [&](fake::LaunchCall& call) {
    cooperative = call.config.cooperative;
    return LaunchOutcome{};
  });
  Device device;
  void* no_arguments[1] = {};
  const auto launched = [&](dim3 grid, dim3 block) {
    return cudaLaunchCooperativeKernel(kernel("empty"), grid, block, no_arguments, 0, nullptr);
  };
  // A T4 has 40 multiprocessors for 1024 threads each, in at most 16 blocks.
  CHECK(launched(40, 1024) == cudaSuccess);
  CHECK(launched(41, 1024) == cudaErrorCooperativeLaunchTooLarge);
  CHECK(launched(640, 32) == cudaSuccess);
  CHECK(launched(dim3(32, 20, 1), 64) == cudaSuccess);
  CHECK(launched(dim3(32, 20, 2), 64) == cudaErrorCooperativeLaunchTooLarge);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(cooperative);
  CHECK(cudaLaunchKernel(kernel("empty"), 1000, 32, no_arguments, 0, nullptr) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK_FALSE(cooperative);
  const ServerReport report = device.finish();
  CHECK(report.launch_count == 4);
  REQUIRE(has_finding(report, "invalid-launch"));
}

TEST_CASE("a launch by configuration does what its attributes say") {
  LaunchConfig seen;
  const KernelBody body("empty", [&](fake::LaunchCall& call) {
    seen = call.config;
    return LaunchOutcome{};
  });
  Device device;
  void* no_arguments[1] = {};
  cudaLaunchAttribute attributes[2] = {};
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(3, 2, 1);
  config.blockDim = dim3(64);
  config.dynamicSmemBytes = 128;
  config.attrs = attributes;
  const auto launched = [&](unsigned int count) {
    config.numAttrs = count;
    const cudaError_t status = cudaLaunchKernelExC(&config, kernel("empty"), no_arguments);
    cudaDeviceSynchronize();
    return status;
  };
  CHECK(launched(0) == cudaSuccess);
  CHECK(seen.grid == cudalabs::Index3{3, 2, 1});
  CHECK(seen.block == cudalabs::Index3{64, 1, 1});
  CHECK(seen.dynamic_shared_bytes == 128);
  CHECK_FALSE(seen.cooperative);
  attributes[0].id = cudaLaunchAttributeCooperative;
  attributes[0].val.cooperative = 1;
  attributes[1].id = cudaLaunchAttributeAccessPolicyWindow;
  CHECK(launched(2) == cudaSuccess);
  CHECK(seen.cooperative);
  attributes[1].id = cudaLaunchAttributeClusterDimension;
  CHECK(launched(2) == cudaErrorInvalidClusterSize);
  attributes[1].val.clusterDim = {1, 1, 1};
  CHECK(launched(2) == cudaSuccess);
  attributes[1].val.clusterDim = {2, 1, 1};
  CHECK(launched(2) == cudaErrorNotSupported);
  attributes[1].id = static_cast<cudaLaunchAttributeID>(99);
  CHECK(launched(2) == cudaErrorInvalidValue);
  config.attrs = nullptr;
  CHECK(launched(1) == cudaErrorInvalidValue);
  CHECK(cudaLaunchKernelExC(nullptr, kernel("empty"), no_arguments) == cudaErrorInvalidValue);

  cudaEvent_t event = nullptr;
  REQUIRE(cudaEventCreateWithFlags(&event, cudaEventDisableTiming) == cudaSuccess);
  attributes[0].id = cudaLaunchAttributeProgrammaticEvent;
  attributes[0].val.programmaticEvent = {event, 0, 0};
  config.attrs = attributes;
  CHECK(launched(1) == cudaSuccess);
  CHECK(cudaEventSynchronize(event) == cudaSuccess);
  CHECK(cudaEventDestroy(event) == cudaSuccess);
  const ServerReport report = device.finish();
  CHECK(report.launch_count == 4);
  CHECK(has_finding(report, "unsupported-call"));
}

TEST_CASE("a refused launch says what is wrong, where, and how often") {
  Device device;
  for (int i = 0; i < 3; ++i) launch_as_compiled(kernel("empty"), 1, dim3(32, 64));
  CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
  const ServerReport report = device.finish();
  REQUIRE(report.findings.size() == 1);
  const auto& finding = report.findings[0];
  CHECK(finding.id == "invalid-launch");
  CHECK(finding.severity == cudalabs::Severity::error);
  CHECK(finding.message ==
        "launch of `empty` refused: a block of 32 x 64 x 1 = 2048 threads; at most 1024 over all dimensions together");
  CHECK(finding.kernel == "empty");
  CHECK(finding.count == 3);
  CHECK(finding.note.find("cudaErrorInvalidConfiguration") != std::string::npos);
  CHECK_FALSE(finding.help.empty());
  REQUIRE(report.origins.size() == 1);
  CHECK(report.origins[0].origin.address != 0);
}

TEST_CASE("a failed launch nobody looked at") {
  Device device;
  launch_as_compiled(kernel("empty"), 0, 1);
  SECTION("is found") {
    CHECK(cudaDeviceSynchronize() == cudaSuccess);  // says nothing of a launch that never was
    const ServerReport report = device.finish();
    REQUIRE(report.findings.size() == 2);
    CHECK(report.findings[0].id == "invalid-launch");
    CHECK(report.findings[1].id == "unchecked-launch");
    CHECK(report.findings[1].severity == cudalabs::Severity::warning);
  }
  SECTION("unless the program asked") {
    CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
    CHECK_FALSE(has_finding(device.finish(), "unchecked-launch"));
  }
  SECTION("or peeked") {
    CHECK(cudaPeekAtLastError() == cudaErrorInvalidConfiguration);
    CHECK_FALSE(has_finding(device.finish(), "unchecked-launch"));
  }
  SECTION("and asking before it fails does not count") {
    CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
    launch_as_compiled(kernel("empty"), 1, 0);
    const ServerReport report = device.finish();
    CHECK(has_finding(report, "unchecked-launch"));
  }
}

TEST_CASE("the configuration stack") {
  Device device;
  CHECK(cudaGetLastError() == cudaSuccess);
  dim3 grid, block;
  SECTION("a stub called without <<<>>>") {
    launch_as_compiled(kernel("empty"), 1, 1);
    CHECK(cudaGetLastError() == cudaSuccess);
  }
}

TEST_CASE("kernel attributes") {
  Device device;
  cudaFuncAttributes attributes;
  REQUIRE(cudaFuncGetAttributes(&attributes, kernel("tiled")) == cudaSuccess);
  CHECK(attributes.sharedSizeBytes == 40000);
  CHECK(attributes.numRegs == 24);
  CHECK(attributes.maxThreadsPerBlock == 1024);
  CHECK(attributes.maxDynamicSharedSizeBytes == 49152 - 40000);
  CHECK(attributes.ptxVersion == 70);
  CHECK(attributes.binaryVersion == 75);
  REQUIRE(cudaFuncGetAttributes(&attributes, kernel("bounded")) == cudaSuccess);
  CHECK(attributes.maxThreadsPerBlock == 256);
  CHECK(cudaFuncGetAttributes(&attributes, kernel("nobody")) == cudaErrorInvalidDeviceFunction);
  CHECK(cudaFuncGetAttributes(nullptr, kernel("tiled")) == cudaErrorInvalidValue);

  const auto set = [&](int value) {
    return cudaFuncSetAttribute(kernel("tiled"), cudaFuncAttributeMaxDynamicSharedMemorySize, value);
  };
  CHECK(set(65536 - 40000) == cudaSuccess);
  void* no_arguments[1] = {};
  CHECK(cudaLaunchKernel(kernel("tiled"), 1, 1, no_arguments, 65536 - 40000, nullptr) == cudaSuccess);
  CHECK(set(65536 - 40000 + 1) == cudaErrorInvalidValue);
  CHECK(set(-1) == cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(kernel("tiled"), cudaFuncAttributePreferredSharedMemoryCarveout, 50) == cudaSuccess);
  CHECK(cudaFuncSetAttribute(kernel("tiled"), cudaFuncAttributePreferredSharedMemoryCarveout, 101) ==
        cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(kernel("tiled"), static_cast<cudaFuncAttribute>(77), 1) == cudaErrorInvalidValue);
  CHECK(cudaFuncSetCacheConfig(kernel("tiled"), cudaFuncCachePreferL1) == cudaSuccess);
  const char* name = nullptr;
  CHECK(cudaFuncGetName(&name, kernel("tiled")) == cudaSuccess);
  CHECK(std::string(name) == "tiled");
}

TEST_CASE("where a kernel's parameters are") {
  Device device;
  std::size_t offset = 77, size = 77;
  REQUIRE(cudaFuncGetParamInfo(kernel("mixed"), 1, &offset, &size) == cudaSuccess);
  CHECK(offset == 2);
  CHECK(size == sizeof(short));
  REQUIRE(cudaFuncGetParamInfo(kernel("mixed"), 5, &offset, nullptr) == cudaSuccess);
  CHECK(offset == 24);
  CHECK(cudaFuncGetParamInfo(kernel("mixed"), 7, &offset, &size) == cudaErrorInvalidValue);
  CHECK(cudaFuncGetParamInfo(kernel("mixed"), 0, nullptr, &size) == cudaErrorInvalidValue);
  CHECK(offset == 24);
  CHECK(size == sizeof(short));
}

TEST_CASE("occupancy questions") {
  Device device;
  int blocks = -1;
  REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel("bounded"), 256, 0) == cudaSuccess);
  CHECK(blocks == 4);  // 1,024 threads a multiprocessor
  REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel("bounded"), 512, 0) == cudaSuccess);
  CHECK(blocks == 0);
  REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel("tiled"), 64, 0) == cudaSuccess);
  CHECK(blocks == 1);  // 40,000 of 65,536 bytes
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel("tiled"), 0, 0) == cudaErrorInvalidValue);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, kernel("tiled"), 32, 0) == cudaErrorInvalidValue);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, kernel("tiled"), 32, 0, 7) ==
        cudaErrorInvalidValue);
  size_t shared = 0;
  REQUIRE(cudaOccupancyAvailableDynamicSMemPerBlock(&shared, kernel("empty"), 2, 128) == cudaSuccess);
  CHECK(shared == 32768);
  CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&shared, kernel("empty"), 17, 32) == cudaErrorInvalidValue);
}

TEST_CASE("device code that does not load fails its own kernels only") {
  Device device;
  void* no_arguments[1] = {};
  CHECK(cudaLaunchKernel(kernel("unparsed"), 1, 1, no_arguments, 0, nullptr) == cudaErrorInvalidPtx);
  CHECK(cudaLaunchKernel(kernel("unexecuted"), 1, 1, no_arguments, 0, nullptr) == cudaErrorUnsupportedPtxVersion);
  CHECK(cudaLaunchKernel(kernel("unparsed"), 1, 1, no_arguments, 0, nullptr) == cudaErrorInvalidPtx);
  CHECK(cudaLaunchKernel(kernel("empty"), 1, 1, no_arguments, 0, nullptr) == cudaSuccess);
  const ServerReport report = device.finish();
  REQUIRE(report.module_errors.size() == 2);
  CHECK(report.module_errors[0] == "PTX line 4: unexpected `}`");
  CHECK(report.module_errors[1] == "`wgmma` is not executed");
}

TEST_CASE("what kernels print comes out at the next wait") {
  const KernelBody body("prints", [](fake::LaunchCall&) { return LaunchOutcome{LaunchStatus::ok, 0, "hello\n"}; });
  SessionLimits limits;
  limits.output_bytes = 13;
  Device device(device_model("t4"), limits);
  // stdout goes to a file for a while.
  std::fflush(stdout);
  const int saved = ::dup(1);
  std::FILE* file = std::tmpfile();
  ::dup2(::fileno(file), 1);
  const auto printed = [&] {
    std::fflush(stdout);
    std::string text(64, 0);
    const auto count = ::pread(::fileno(file), text.data(), text.size(), 0);
    text.resize(static_cast<std::size_t>(count));
    return text;
  };
  for (int i = 0; i < 3; ++i) launch_as_compiled(kernel("prints"), 1, 1);
  const std::string before = printed();
  const cudaError_t status = cudaDeviceSynchronize();
  const std::string after = printed();
  ::dup2(saved, 1);
  ::close(saved);
  std::fclose(file);
  CHECK(status == cudaSuccess);
  CHECK(before.empty());
  CHECK(after == "\nhello\nhello\n");  // a full buffer keeps the newest
}

TEST_CASE("the number of launches is limited") {
  SessionLimits limits;
  limits.launches = 2;
  Device device(device_model("t4"), limits);
  void* no_arguments[1] = {};
  for (int i = 0; i < 2; ++i) REQUIRE(cudaLaunchKernel(kernel("empty"), 1, 1, no_arguments, 0, nullptr) == cudaSuccess);
  CHECK(cudaLaunchKernel(kernel("empty"), 1, 1, no_arguments, 0, nullptr) == cudaErrorLaunchOutOfResources);
}
