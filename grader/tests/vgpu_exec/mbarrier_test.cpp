// Barriers in shared memory: who waits, who is ordered with whom.
#include <string>
#include <vector>

#include "kernel_run.h"
#include "vgpu/exec/barrier_word.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::exec::barrier_word;

namespace {

const std::string kRace = "shared-race";

// Each of 64 threads stores 100 + its number, passes `barrier`, and reads what thread 63 - i has stored. %r4 is the
// barrier's address.
KernelRun exchange(const std::string& barrier, const std::string& init = "mbarrier.init.shared.b64 [%r4], 64;") {
  const std::string functions = ".shared .align 8 .b64 bar;\n.shared .align 4 .b8 tile[256];\n";
  return run_kernel(module_with(R"(
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  mov.u32 %r4, bar;
  mov.u32 %r5, tile;
  setp.eq.u32 %p1, %r1, 0;
  @%p1 )" + init + R"(
  bar.sync 0;
  shl.b32 %r6, %r1, 2;
  add.u32 %r7, %r5, %r6;
  add.u32 %r2, %r1, 100;
  st.shared.u32 [%r7], %r2;
)" + barrier + R"(
  xor.b32 %r6, %r6, 252;
  add.u32 %r7, %r5, %r6;
  ld.shared.u32 %r2, [%r7];
  st.global.u32 [%rd3], %r2;
)",
                                functions),
                    64, 64);
}

bool is_right(const KernelRun& run) {
  bool right = run.status == LaunchStatus::ok;
  for (std::uint32_t thread = 0; thread < 64; ++thread) right = right && run.words[thread] == 163 - thread;
  return right;
}

const std::string kWait = R"(
$look:
  mbarrier.test_wait.shared.b64 %p2, [%r4], %rd5;
  @!%p2 bra $look;
)";

}  // namespace

TEST_CASE("the last arrival begins the next phase", "[vgpu]") {
  const std::uint64_t start = 3 | std::uint64_t{3} << kPendingShift;
  std::uint64_t word = arrived(start, 2);
  CHECK(word >> kPhaseShift == 0);
  CHECK((word >> kPendingShift & kCountMask) == 1);
  word = arrived(word, 1);
  CHECK(word == (start | std::uint64_t{1} << kPhaseShift));
  word = dropped(word, 1);  // two are left, and one of them leaves after this phase
  CHECK((word & kCountMask) == 2);
  CHECK((word >> kPendingShift & kCountMask) == 2);
  word = arrived(word, 2);
  CHECK(word >> kPhaseShift == 2);
  CHECK((word >> kPendingShift & kCountMask) == 2);
}

TEST_CASE("threads that wait at a barrier in memory are ordered after those that arrive", "[vgpu]") {
  for (const std::string& wait :
       {std::string("mbarrier.arrive.shared.b64 %rd5, [%r4];") + kWait,
        std::string("mbarrier.arrive.release.cta.shared::cta.b64 %rd5, [%r4], 1;") + kWait,
        "mbarrier.arrive.shared.b64 _, [%r4];\n$look:\n  mbarrier.try_wait.parity.shared.b64 %p2, [%r4], 0;\n  @!%p2 "
        "bra "
        "$look;" +
            std::string(),
        "cvt.u64.u32 %rd6, %r4;\n  cvta.shared.u64 %rd7, %rd6;\n  mbarrier.arrive_drop.b64 %rd5, [%rd7];" + kWait}) {
    CAPTURE(wait);
    const KernelRun run = exchange(wait);
    CHECK(is_right(run));
    CHECK(run.ids().empty());
  }
}

TEST_CASE("who does not wait, or releases nothing, races", "[vgpu]") {
  const auto races = [](const KernelRun& run) {
    bool found = false;
    for (const Finding& finding : run.findings) found = found || finding.id == kRace;
    return found;
  };
  CHECK(races(exchange("mbarrier.arrive.shared.b64 %rd5, [%r4];")));
  CHECK(races(exchange("mbarrier.arrive.relaxed.cta.shared.b64 %rd5, [%r4];" + kWait)));
  CHECK(races(exchange("mbarrier.arrive.shared.b64 %rd5, [%r4];" + kWait, "mbarrier.init.shared.b64 [%r4], 32;")));
  // Parity 1 is that of the phase before the first, which nobody needs to wait for.
  CHECK(
      races(exchange("mbarrier.test_wait.parity.shared.b64 %p2, [%r4], 1;\n  @!%p2 trap;\n"
                     "  mbarrier.arrive.shared.b64 _, [%r4];")));
}

TEST_CASE("an arrival counts for as many as it says, and a state knows how many were missing", "[vgpu]") {
  const KernelRun run = run_kernel(module_with(R"(
  mov.u32 %r4, bar;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra $end;
  mbarrier.init.shared.b64 [%r4], 7;
  mbarrier.arrive.noComplete.shared.b64 %rd5, [%r4], 3;
  mbarrier.arrive.shared.b64 %rd6, [%r4];
  mbarrier.pending_count.b64 %r5, %rd5;
  st.global.u32 [%rd1], %r5;
  mbarrier.pending_count.b64 %r5, %rd6;
  st.global.u32 [%rd1+4], %r5;
  mbarrier.test_wait.shared.b64 %p2, [%r4], %rd6;
  selp.u32 %r5, 1, 0, %p2;
  st.global.u32 [%rd1+8], %r5;
  mbarrier.arrive.shared.b64 _, [%r4], 3;
  mbarrier.test_wait.shared.b64 %p2, [%r4], %rd6;
  selp.u32 %r5, 1, 0, %p2;
  st.global.u32 [%rd1+12], %r5;
  mbarrier.inval.shared.b64 [%r4];
$end:
)",
                                               ".shared .align 8 .b64 bar;\n"),
                                   32, 4);
  CHECK(run.words == std::vector<std::uint32_t>{7, 4, 0, 1});
  CHECK(run.ids().empty());
}

TEST_CASE("copies are done before the arrival that they trigger", "[vgpu]") {
  const auto copy = [](const std::string& arrival, const char* count) {
    return run_kernel(module_with(R"(
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  mov.u32 %r4, bar;
  mov.u32 %r5, tile;
  shl.b32 %r6, %r1, 2;
  add.u32 %r7, %r5, %r6;
  add.u32 %r2, %r1, 100;
  st.global.u32 [%rd3], %r2;
  setp.eq.u32 %p1, %r1, 0;
  @%p1 mbarrier.init.shared.b64 [%r4], )" +
                                      std::string(count) + R"(;
  bar.sync 0;
  cp.async.ca.shared.global [%r7], [%rd3], 4;
)" + arrival + R"(
  xor.b32 %r6, %r6, 252;
  add.u32 %r7, %r5, %r6;
  ld.shared.u32 %r2, [%r7];
  bar.sync 0;
  st.global.u32 [%rd3], %r2;
)",
                                  ".shared .align 8 .b64 bar;\n.shared .align 4 .b8 tile[256];\n"),
                      64, 64);
  };
  const KernelRun own =
      copy("cp.async.mbarrier.arrive.shared.b64 [%r4];\n  mbarrier.arrive.shared.b64 %rd5, [%r4];" + kWait, "64");
  CHECK(is_right(own));
  CHECK(own.ids().empty());
  const KernelRun triggered = copy(
      "cp.async.mbarrier.arrive.noinc.shared.b64 [%r4];\n$look:\n  mbarrier.test_wait.parity.shared.b64 %p2, [%r4], "
      "0;\n"
      "  @!%p2 bra $look;",
      "64");
  CHECK(is_right(triggered));
  CHECK(triggered.ids().empty());
}
