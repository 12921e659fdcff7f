// Constants that begin with addresses of shared variables, as clang makes them of `float* both[2] = {first, second}`.
#include <string>

#include "kernel_run.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

// The thread writes 7 through the first pointer of `both` and 9 through the second, and reads both places by name.
const std::string kWritesThroughBoth = R"(
  .shared .align 4 .b8 first[128];
  .shared .align 4 .b8 second[128];
  mov.u32 %r9, first;
  mov.u32 %r2, 7;
  ld.global.u64 %rd2, [both];
  st.u32 [%rd2], %r2;
  mov.u32 %r3, 9;
  ld.global.u64 %rd3, [both+8];
  st.u32 [%rd3], %r3;
  ld.shared.u32 %r4, [first];
  ld.shared.u32 %r5, [second+4];
  st.global.u32 [%rd1], %r4;
  st.global.u32 [%rd1+4], %r5;
)";

const std::string kBoth = ".global .align 8 .u64 both[2] = {generic(first), generic(second)+4};\n";

}  // namespace

TEST_CASE("a constant may hold addresses of a kernel's shared variables", "[vgpu]") {
  const KernelRun run = run_kernel(module_with(kWritesThroughBoth, kBoth), 1, 2);
  CHECK(run.status == LaunchStatus::ok);
  CHECK(run.ids().empty());
  CHECK(run.words == std::vector<std::uint32_t>{7, 9});
}

TEST_CASE("a shared variable that only a constant names has its place", "[vgpu]") {
  const std::string module = ".shared .align 4 .b8 only[128];\n.global .align 8 .u64 place = generic(only)+8;\n";
  const KernelRun run = run_kernel(module_with(R"(
  ld.global.u64 %rd2, [place];
  mov.u32 %r2, 5;
  st.u32 [%rd2], %r2;
  ld.u32 %r3, [%rd2];
  st.global.u32 [%rd1], %r3;
)",
                                               module),
                                   1, 1);
  CHECK(run.status == LaunchStatus::ok);
  CHECK(run.ids().empty());
  CHECK(run.words == std::vector<std::uint32_t>{5});
}

TEST_CASE("an access beyond the shared variable of a constant is one outside", "[vgpu]") {
  const std::string outside = ".global .align 8 .u64 both[2] = {generic(first), generic(second)+128};\n";
  const KernelRun run = run_kernel(module_with(kWritesThroughBoth, outside), 1, 2);
  REQUIRE_FALSE(run.findings.empty());
  CHECK(run.findings.front().id == "shared-out-of-bounds");
}

TEST_CASE("a kernel in which a constant's shared variable lies elsewhere is refused", "[vgpu]") {
  const std::string shared =
      ".shared .align 4 .b8 own[64];\n.shared .align 4 .b8 both_use[64];\n"
      ".global .align 8 .u64 place = generic(both_use);\n";
  const std::string other =
      ".visible .entry other()\n{\n  .reg .b32 %r<9>;\n  .reg .b64 %rd<9>;\n"
      "  ld.shared.u32 %r1, [own];\n  ld.global.u64 %rd2, [place];\n  ret;\n}\n";
  const std::string body = "  ld.global.u64 %rd2, [place];\n  st.u32 [%rd2], %r1;\n";
  VirtualGpuOptions options;
  options.model = device_model("a100");
  VirtualGpu gpu(options);
  const std::uint32_t module = gpu.load_module(module_with(body, shared + other));
  const std::uint64_t array = gpu.allocate(4, 0);
  CHECK(gpu.launch(module, "other", {}, {}).status == LaunchStatus::ok);
  CHECK(gpu.launch(module, "kernel", {}, std::as_bytes(std::span(&array, 1))).status == LaunchStatus::refused);
  REQUIRE(gpu.refusals().size() == 1);
  CHECK(gpu.refusals()[0].kernel == "kernel");
}
