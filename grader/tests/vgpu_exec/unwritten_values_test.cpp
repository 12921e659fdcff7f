// Reads of memory that nobody has written, whose values matter and whose values do not.
#include <span>
#include <string>
#include <vector>

#include "kernel_run.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

/// %r22: of each thread the address of a word of its own in shared memory, which nobody has written; %rd3: that of a
/// word of the output.
const std::string kPlaces =
    "  .shared .align 4 .b8 tile[256];\n  shl.b32 %r20, %r1, 2;\n  mov.u32 %r21, tile;\n  add.s32 %r22, %r21, %r20;\n"
    "  mul.wide.u32 %rd2, %r1, 4;\n  add.s64 %rd3, %rd1, %rd2;\n  .loc 1 3 1\n";

std::vector<Severity> severities(const std::string& body) {
  std::vector<Severity> found;
  VirtualGpuOptions options;
  options.tries_unwritten_values = true;
  for (const Finding& finding : run_kernel(module_with(kPlaces + body), 32, 32, options).findings) {
    CHECK(finding.id == "uninitialized-read");
    CHECK(finding.where.line == 3);
    found.push_back(finding.severity);
  }
  return found;
}

using Severities = std::vector<Severity>;
const Severities kError{Severity::error}, kWarning{Severity::warning};

}  // namespace

TEST_CASE("a value of shared memory that is thrown away is a warning", "[exec]") {
  CHECK(severities("  ld.shared.u32 %r6, [%r22];\n") == kWarning);
  CHECK(severities("  ld.shared.u32 %r6, [%r22];\n  st.global.u32 [%rd3], %r1;\n") == kWarning);
  // Copied to a place that is overwritten before anybody reads it.
  CHECK(severities("  ld.shared.u32 %r6, [%r22];\n  st.shared.u32 [%r22+128], %r6;\n  st.shared.u32 [%r22+128], %r1;\n"
                   "  ld.shared.u32 %r7, [%r22+128];\n  st.global.u32 [%rd3], %r7;\n") == kWarning);
  // Computed with, and not chosen.
  CHECK(severities("  ld.shared.f32 %f1, [%r22];\n  add.f32 %f1, %f1, 0f3F800000;\n  setp.gt.u32 %p1, %r1, 100;\n"
                   "  selp.f32 %f2, %f1, 0f40000000, %p1;\n  st.global.f32 [%rd3], %f2;\n") == kWarning);
}

TEST_CASE("where other values are not tried each of them is an error", "[exec]") {
  const KernelRun run = run_kernel(module_with(kPlaces + "  ld.shared.u32 %r6, [%r22];\n"), 32, 32);
  REQUIRE(run.ids() == std::vector<std::string>{"uninitialized-read"});
  CHECK(run.findings.front().severity == Severity::error);
}

TEST_CASE("a value of shared memory that a result depends on is an error", "[exec]") {
  const std::string load = "  ld.shared.u32 %r6, [%r22];\n  ld.shared.f32 %f1, [%r22];\n";
  const std::string store = "  st.global.u32 [%rd3], %r7;\n";
  const Severities errors(2, Severity::error);
  CHECK(severities("  ld.shared.u32 %r6, [%r22];\n  st.global.u32 [%rd3], %r6;\n") == kError);
  // Neither NaN nor a large number shows in these.
  CHECK(severities("  ld.shared.u32 %r6, [%r22];\n  and.b32 %r7, %r6, 1;\n" + store) == kError);
  CHECK(severities("  ld.shared.f32 %f1, [%r22];\n  max.f32 %f2, %f1, 0f00000000;\n  st.global.f32 [%rd3], %f2;\n") ==
        kError);
  CHECK(severities("  ld.shared.f32 %f1, [%r22];\n  mul.f32 %f2, %f1, 0f00000000;\n  st.global.f32 [%rd3], %f2;\n") ==
        kError);
  // It decides which way threads go, and how far.
  CHECK(severities("  ld.shared.u32 %r6, [%r22];\n  setp.eq.u32 %p1, %r6, 0;\n  @%p1 st.global.u32 [%rd3], 1;\n") ==
        kError);
  // It is an address: with other values nothing is allocated there.
  CHECK(severities("  ld.shared.u32 %r6, [%r22];\n  setp.eq.u32 %p1, %r6, 0;\n  mul.wide.u32 %rd4, %r6, 1024;\n"
                   "  @%p1 st.global.u32 [%rd4], 1;\n") == kError);
}

// In this order of the threads nothing depends on it; in another one the sum would be lost.
TEST_CASE("an atomic operation on what nobody has written is an error, whatever follows", "[exec]") {
  CHECK(severities("  atom.shared.add.u32 %r6, [%r22], 1;\n  st.shared.u32 [%r22], %r1;\n") == kError);
}

TEST_CASE("global memory likewise, byte for byte", "[exec]") {
  VirtualGpuOptions options;
  options.model = device_model("a100");
  options.tries_unwritten_values = true;
  VirtualGpu gpu(options);
  // Reads byte 1 of a word of which the other bytes are written; the second kernel keeps it.
  const std::string read = "  ld.global.u8 %rs1, [%rd1+65];\n";
  const std::uint32_t dropping = gpu.load_module(module_with("  .loc 1 3 1\n" + read));
  const std::uint32_t keeping =
      gpu.load_module(module_with("  .loc 1 4 1\n" + read + "  st.global.u8 [%rd1], %rs1;\n"));
  const DeviceAddress array = gpu.allocate(256, 0);
  const std::uint8_t byte = 7;
  for (const std::uint64_t at : {64, 66, 67}) REQUIRE(gpu.copy_in(array + at, std::as_bytes(std::span(&byte, 1))));
  const auto launch = [&](std::uint32_t module) {
    return gpu.launch(module, "kernel", LaunchConfig{}, std::as_bytes(std::span(&array, 1))).status;
  };
  CHECK(launch(dropping) == LaunchStatus::ok);
  REQUIRE(gpu.findings().size() == 1);
  CHECK(gpu.findings().front().severity == Severity::warning);
  CHECK(gpu.findings().front().help.find("nothing depends on") == 0);
  CHECK(launch(keeping) == LaunchStatus::ok);
  REQUIRE(gpu.findings().size() == 2);
  CHECK(gpu.findings().back().severity == Severity::error);
  // What was tried is undone: the byte is 0xFF, which a read of fresh memory gives.
  std::uint8_t kept = 0;
  REQUIRE(gpu.copy_out(std::as_writable_bytes(std::span(&kept, 1)), array));
  CHECK(kept == 0xFF);
}

TEST_CASE("a launch that does not come to its end says nothing of what its shuffles read", "[exec]") {
  // Lanes 0 to 15 shuffle from lanes that do not take part; the value is not used. Then the block never ends.
  const std::string shuffle =
      "  setp.lt.u32 %p1, %r1, 16;\n  @!%p1 bra DONE;\n  shfl.sync.down.b32 %r9, %r1, 16, 31, 0xffff;\n";
  const std::string endless =
      "  mul.wide.u32 %rd2, %r1, 4;\n  add.s64 %rd3, %rd1, %rd2;\nLOOP:\n  st.global.u32 [%rd3], %r1;\n  bra LOOP;\n";
  const auto ids = [&](const std::string& body) {
    VirtualGpuOptions options;
    options.model = device_model("a100");
    options.instruction_limit = 20'000;
    VirtualGpu gpu(options);
    const std::uint32_t module = gpu.load_module(module_with(body + "DONE:\n"));
    const DeviceAddress array = gpu.allocate(128, 0);
    gpu.launch(module, "kernel", LaunchConfig{.grid = {1, 1, 1}, .block = {32, 1, 1}},
               std::as_bytes(std::span(&array, 1)));
    std::vector<std::string> all;
    for (const Finding& finding : gpu.findings())
      if (finding.severity == Severity::error) all.push_back(finding.id);
    return all;
  };
  CHECK(ids(shuffle).empty());
  CHECK(ids(shuffle + endless) == std::vector<std::string>{"timed-out"});
}
