// A launch goes on after an access that memory refuses, but not for ever.
#include "kernel_run.h"
#include "vgpu/check/finding_ids.h"
#include "vgpu/exec/launcher.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

/// Reads `rounds` times past the end of the array, then stores `rounds`.
std::string reading_past_the_end(std::uint32_t rounds) {
  return module_with(R"(
  .loc 1 5 3
  mov.u32 %r2, 0;
again:
  ld.global.u32 %r3, [%rd1+1048576];
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p1, %r2, )" +
                     std::to_string(rounds) + R"(;
  @%p1 bra again;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r2;)");
}

constexpr std::uint32_t kThreads = 32;

}  // namespace

TEST_CASE("a launch with few refused accesses goes on to its end", "[vgpu]") {
  const KernelRun run = run_kernel(reading_past_the_end(1000), kThreads, kThreads);
  CHECK(run.status == LaunchStatus::illegal_address);
  REQUIRE(run.ids() == std::vector<std::string>{std::string(finding_ids::kGlobalOutOfBounds)});
  CHECK(run.findings[0].count == 1000 * kThreads);
  CHECK(run.words[0] == 1000);
}

TEST_CASE("a launch with very many refused accesses is ended soon, with the same finding", "[vgpu]") {
  const KernelRun run = run_kernel(reading_past_the_end(100'000'000), kThreads, kThreads);
  CHECK(run.status == LaunchStatus::illegal_address);
  REQUIRE(run.ids() == std::vector<std::string>{std::string(finding_ids::kGlobalOutOfBounds)});
  CHECK(run.findings[0].count > exec::kMostRefusedAccesses);
  CHECK(run.findings[0].count < 20 * exec::kMostRefusedAccesses);
  CHECK(run.words[0] == 0);
}
