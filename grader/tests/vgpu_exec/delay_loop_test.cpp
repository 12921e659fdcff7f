// Time in loops that only wait for it.
#include <string>

#include "kernel_run.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

/// `delay` ends when %r5 ticks have passed since %r2 was read from the clock; out[t] is how many rounds it took, and
/// out[32 + t] how many ticks had passed in the end.
KernelRun run_delay(const std::string& ticks, const std::string& loop) {
  return run_kernel(module_with(R"(
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  mov.u32 %r6, 0;
  mov.u32 %r5, )" + ticks + R"(;
  mov.u32 %r2, %clock;
)" + loop + R"(
  st.global.u32 [%rd3], %r6;
  st.global.u32 [%rd3+128], %r4;
)"),
                    32, 64);
}

const std::string kWaits = R"(
$L1:
  add.u32 %r6, %r6, 1;
  mov.u32 %r3, %clock;
  sub.u32 %r4, %r3, %r2;
  setp.lt.u32 %p1, %r4, %r5;
  @%p1 bra $L1;
)";

}  // namespace

TEST_CASE("a loop that only waits for a time takes few rounds", "[vgpu]") {
  const KernelRun run = run_delay("20000000", kWaits);
  REQUIRE(run.status == LaunchStatus::ok);
  CHECK(run.words[0] < 60);
  CHECK(run.words[32] >= 20'000'000);
  CHECK(run.words[32] < 21'100'000);
  const KernelRun shorter = run_delay("100", kWaits);
  CHECK(shorter.words[32] >= 100);
  CHECK(shorter.words[32] < 220);
}

TEST_CASE("so does one that counts in 64 bits", "[vgpu]") {
  const KernelRun run = run_delay("3000000", R"(
  mov.u64 %rd4, %clock64;
$L1:
  mov.u64 %rd5, %clock64;
  sub.s64 %rd6, %rd5, %rd4;
  add.u32 %r6, %r6, 1;
  setp.lt.s64 %p1, %rd6, 3000000;
  @%p1 bra $L1;
  cvt.u32.u64 %r4, %rd6;
)");
  REQUIRE(run.status == LaunchStatus::ok);
  CHECK(run.words[0] < 40);
  CHECK(run.words[32] >= 3'000'000);
}

TEST_CASE("time passes as ever in loops that do something, or that the clock does not end", "[vgpu]") {
  // A store in each round.
  const KernelRun stores = run_delay("3000", R"(
$L1:
  add.u32 %r6, %r6, 1;
  st.global.u32 [%rd3], %r6;
  mov.u32 %r3, %clock;
  sub.u32 %r4, %r3, %r2;
  setp.lt.u32 %p1, %r4, %r5;
  @%p1 bra $L1;
)");
  CHECK(stores.words[0] > 400);
  // A measurement of 1000 rounds.
  const KernelRun counts = run_delay("1000", R"(
$L1:
  add.u32 %r6, %r6, 1;
  mov.u32 %r3, %clock;
  sub.u32 %r4, %r3, %r2;
  setp.lt.u32 %p1, %r6, %r5;
  @%p1 bra $L1;
)");
  CHECK(counts.words[0] == 1000);
  CHECK(counts.words[32] < 10'000);
}
