// Barriers in shared memory that count the bytes of copies, and waits at barriers that cannot end.
#include <algorithm>
#include <string>
#include <vector>

#include "cluster_run.h"
#include "vgpu/exec/barrier_word.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::exec::barrier_word;

namespace {

constexpr std::uint64_t kOneOfOne = 1 | std::uint64_t{1} << kPendingShift;

/// What thread 0 leaves in %r20 … %r23, with a barrier for `count` threads at %r4.
std::vector<std::uint32_t> answers(const std::string& count, const std::string& body) {
  const KernelRun run = run_kernel(module_with(R"(
  .shared .align 8 .b64 bar;
  .reg .b32 %q<30>;
  mov.u32 %r4, bar;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra $end;
  mbarrier.init.shared::cta.b64 [%r4], )" + count +
                                               ";\n" + body + R"(
  st.global.v4.u32 [%rd1], {%r20, %r21, %r22, %r23};
$end:
)"),
                                   32, 4);
  CHECK(run.status == LaunchStatus::ok);
  CHECK(run.ids().empty());
  return run.words;
}

/// %r20 … %r23 tell whether phase 0 is over, after each of four instructions.
std::string watched(const std::vector<std::string>& instructions) {
  std::string text;
  for (std::size_t i = 0; i < 4; ++i) {
    text += "  " + (i < instructions.size() ? instructions[i] : std::string()) + "\n";
    text += "  mbarrier.test_wait.parity.acquire.cta.shared::cta.b64 %p2, [%r4], 0;\n";
    text += "  selp.u32 %r2" + std::to_string(i) + ", 1, 0, %p2;\n";
  }
  return text;
}

using Words = std::vector<std::uint32_t>;

/// Of 32 threads that all wait at a barrier for `count`, which thread 0 has initialised; before they do `body`.
ClusterRun waiting(const std::string& count, const std::string& body) {
  return run_clusters(cluster_module(R"(
  .shared .align 8 .b64 bar;
  .loc 1 5 1
  setp.eq.u32 %p1, %r1, 0;
  mov.u32 %r7, bar;
  @%p1 mbarrier.init.shared.b64 [%r7], )" +
                                     count + ";\n" + kClusterSync + body + R"(
  .loc 1 9 3
$look:
  mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r7], 0;
  @!%p2 bra $look;
)" + kClusterSync),
                      2, 2);
}

const Finding* deadlock_of(const ClusterRun& run) {
  const auto found = std::ranges::find_if(run.findings, [](const Finding& finding) {
    return finding.id == "barrier-divergence" && finding.message.starts_with("deadlock: threads wait at a barrier in");
  });
  return found == run.findings.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("a phase is over when all have arrived and all announced bytes have come", "[vgpu]") {
  const std::uint64_t announced_first = announced(kOneOfOne, 48);
  CHECK(parts_of(announced_first).bytes == 48);
  const std::uint64_t waits = arrived(announced_first, 1);
  CHECK(parts_of(waits).phase == 0);
  CHECK(parts_of(waits).pending == 0);
  CHECK(parts_of(brought(waits, 16)).bytes == 32);
  CHECK(brought(brought(waits, 16), 32) == (kOneOfOne | std::uint64_t{1} << kPhaseShift));
  // Bytes may come before they are announced.
  const std::uint64_t early = brought(kOneOfOne, 64);
  CHECK(parts_of(early).bytes == -64);
  CHECK(parts_of(arrived(early, 1)).phase == 0);
  CHECK(parts_of(announced(arrived(early, 1), 64)).phase == 1);
  CHECK(parts_of(arrived(kOneOfOne, 1, (1u << 20) - 1)).bytes == (1 << 20) - 1);
  CHECK(parts_of(brought(kOneOfOne, (1u << 20) - 1)).bytes == 1 - (1 << 20));
  CHECK(parts_of(dropped(kOneOfOne, 1, 16)).expected == 0);
  std::uint64_t word = kOneOfOne;
  for (int phase = 0; phase < 9; ++phase) word = arrived(word, 1);
  CHECK(word == (kOneOfOne | std::uint64_t{1} << kPhaseShift));  // the number begins again
}

TEST_CASE("bytes are announced and brought by instructions", "[vgpu]") {
  CHECK(answers("1", watched({"mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %rd5, [%r4], 64;",
                              "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r4], 16;",
                              "mbarrier.complete_tx.shared::cluster.b64 [%r4], 48;"})) == Words{0, 0, 1, 1});
  CHECK(answers("1", watched({"mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r4], 32;",
                              "mbarrier.arrive.shared.b64 _, [%r4];",
                              "mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%r4], 32;"})) ==
        Words{0, 0, 1, 1});
  CHECK(answers("2", watched({"mbarrier.arrive.expect_tx.relaxed.cluster.shared::cluster.b64 _, [%r4], 8;",
                              "mbarrier.complete_tx.shared::cta.b64 [%r4], 8;",
                              "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r4], 1;"})) ==
        Words{0, 0, 1, 1});
  CHECK(answers("2", watched({"mbarrier.arrive_drop.expect_tx.shared::cta.b64 %rd5, [%r4], 8;",
                              "mbarrier.arrive_drop.noComplete.shared.b64 %rd6, [%r4], 1;",
                              "mbarrier.complete_tx.shared::cta.b64 [%r4], 8;"})) == Words{0, 0, 1, 1});
}

TEST_CASE("every form of a look says the same", "[vgpu]") {
  for (const char* look :
       {"mbarrier.test_wait.shared.b64 %p2, [%r4], %rd5;",
        "mbarrier.test_wait.acquire.cta.shared::cta.b64 %p2, [%r4], %rd5;",
        "mbarrier.test_wait.parity.shared.b64 %p2, [%r4], 0;", "mbarrier.try_wait.shared::cta.b64 %p2, [%r4], %rd5;",
        "mbarrier.try_wait.acquire.cluster.shared::cta.b64 %p2, [%r4], %rd5, 1000;",
        "mbarrier.try_wait.parity.relaxed.cta.shared::cta.b64 %p2, [%r4], 0, 1000;",
        "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p2, [%r4], 2;"}) {
    CAPTURE(look);
    const std::string asked = std::string("  ") + look + "\n  selp.u32 ";
    CHECK(answers("2", "  mbarrier.arrive.shared.b64 %rd5, [%r4];\n" + asked + "%r20, 1, 0, %p2;\n" +
                           "  mbarrier.arrive.shared.b64 _, [%r4];\n" + asked + "%r21, 1, 0, %p2;\n" +
                           "  mov.u32 %r22, 0;\n  mov.u32 %r23, 0;\n") == Words{0, 1, 0, 0});
  }
}

TEST_CASE("a wait that cannot end is a deadlock, and says what is missing", "[vgpu]") {
  const auto note = [](const ClusterRun& run) {
    const Finding* found = deadlock_of(run);
    if (found == nullptr) return std::string("no deadlock");
    CHECK(run.status == LaunchStatus::barrier_deadlock);
    CHECK(found->where.line == 9);
    return found->note;
  };
  CHECK(note(waiting("33", "mbarrier.arrive.shared.b64 _, [%r7];")) ==
        "at `bar`: 1 of 33 arrivals is missing; 32 threads here");
  CHECK(note(waiting("32",
                     "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r7], 8;\n"
                     "  @%p1 mbarrier.complete_tx.shared::cta.b64 [%r7], 128;")) ==
        "at `bar`: copies have brought 128 bytes fewer than were announced; 32 threads here");
  CHECK(note(waiting("32",
                     "mbarrier.arrive.shared.b64 _, [%r7], 0;\n"
                     "  @%p1 mbarrier.complete_tx.shared::cta.b64 [%r7], 1;")) ==
        "at `bar`: 32 of 32 arrivals are missing, and copies have brought 1 byte more than were announced; 32 threads "
        "here");
  // Only one of the two blocks is told to arrive at the other's barrier.
  const ClusterRun one = waiting("1", R"(
  mapa.shared::cluster.u32 %r8, %r7, 1;
  setp.eq.u32 %p3, %r2, 0;
  and.pred %p3, %p1, %p3;
  @%p3 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r8], 1;)");
  REQUIRE(deadlock_of(one) != nullptr);
  CHECK(deadlock_of(one)->block == Index3{0, 0, 0});
  CHECK(note(one) == "at `bar`: 1 of 1 arrival is missing; 32 threads here");
}

TEST_CASE("threads that sleep between two looks wait no less", "[vgpu]") {
  const ClusterRun run = run_clusters(cluster_module(R"(
  .shared .align 8 .b64 bar;
  mov.u32 %r7, bar;
  setp.eq.u32 %p1, %r1, 0;
  @%p1 mbarrier.init.shared.b64 [%r7], 1;
  bar.sync 0;
$look:
  nanosleep.u32 1000000;
  mbarrier.test_wait.parity.shared::cta.b64 %p2, [%r7], 0;
  @!%p2 bra $look;
)"),
                                      1, 1);
  CHECK(run.status == LaunchStatus::barrier_deadlock);
  CHECK(deadlock_of(run) != nullptr);
}

TEST_CASE("a wait that another block ends is no deadlock", "[vgpu]") {
  const ClusterRun run = waiting("1", R"(
  mov.u32 %r9, 1;
  sub.u32 %r9, %r9, %r2;
  mapa.shared::cluster.u32 %r8, %r7, %r9;
  mov.u32 %r10, 0;
$long:
  add.u32 %r10, %r10, 1;
  setp.lt.u32 %p3, %r10, 4000000;
  @%p3 bra $long;
  st.shared.u32 [%r4], %r10;
  @%p1 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r8];)");
  CHECK(run.status == LaunchStatus::ok);
  for (const Finding& finding : run.findings) FAIL_CHECK(finding.message + finding.note);
}

TEST_CASE("a wait that gives up by itself is no deadlock", "[vgpu]") {
  const ClusterRun run = run_clusters(cluster_module(R"(
  .shared .align 8 .b64 bar;
  setp.eq.u32 %p1, %r1, 0;
  mov.u32 %r7, bar;
  @!%p1 ret;
  mbarrier.init.shared.b64 [%r7], 1;
  mov.u32 %r8, 0;
$look:
  add.u32 %r8, %r8, 1;
  mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r7], 0;
  setp.lt.u32 %p3, %r8, 1000;
  and.pred %p3, %p3, !%p2;
  @%p3 bra $look;
  st.global.u32 [%rd2], %r8;
)"),
                                      1, 1);
  CHECK(run.status == LaunchStatus::ok);
  CHECK(run.words[0] == 1000);
}
