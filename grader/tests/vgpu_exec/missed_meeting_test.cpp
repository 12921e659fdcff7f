// What lanes of a warp do together, with a mask that names lanes that do not come.
#include <string>
#include <vector>

#include "kernel_run.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

const std::string kDivergence = "barrier-divergence";

// Lanes 0 to 7 execute `together` in a branch; `after` follows for all lanes.
KernelRun run_branch(const std::string& together, const std::string& after, const std::string& functions = {}) {
  return run_kernel(module_with(R"(
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  setp.ge.u32 %p1, %r1, 8;
  mov.u32 %r2, %r1;
  @%p1 bra $after;
  .loc 1 5 1
)" + together + R"(
$after:
  .loc 1 8 1
)" + after,
                                functions),
                    32, 32);
}

const std::string kShuffle = "shfl.sync.down.b32 %r2, %r1, 1, 7, 0xffffffff;";
const std::string kStore = "st.global.u32 [%rd3], %r2;";

}  // namespace

TEST_CASE("a mask that names lanes which go past the instruction", "[vgpu]") {
  for (const std::string& together :
       {kShuffle, std::string("vote.sync.any.pred %p2, %p1, -1;"), std::string("bar.warp.sync 0xffffffff;")}) {
    CAPTURE(together);
    const KernelRun run = run_branch(together, kStore);
    CHECK(run.status == LaunchStatus::ok);
    REQUIRE(run.ids() == std::vector<std::string>{kDivergence});
    const Finding& finding = run.findings[0];
    CHECK(finding.severity == Severity::error);
    CHECK(finding.where == SourcePlace{"k.cu", 5, 1});
    CHECK(finding.note == "8 threads here, 24 elsewhere");
    REQUIRE(finding.other);
    CHECK(finding.other->place.line == 8);
    CHECK(finding.thread == Index3{0, 0, 0});
    CHECK(finding.other->thread == Index3{8, 0, 0});
  }
}

TEST_CASE("a mask that names only the lanes that come", "[vgpu]") {
  CHECK(run_branch("shfl.sync.down.b32 %r2, %r1, 1, 7, 0xff;", kStore).ids().empty());
}

TEST_CASE("lanes that only end are no longer waited for, which is worth a word", "[vgpu]") {
  const KernelRun run = run_branch(kShuffle + kStore, "");
  REQUIRE(run.ids() == std::vector<std::string>{kDivergence});
  CHECK(run.findings[0].severity == Severity::advice);
  CHECK(run.findings[0].where.line == 5);
  CHECK_FALSE(run.findings[0].other);
}

TEST_CASE("lanes that come later are waited for", "[vgpu]") {
  // The others take another way to the same instruction.
  const KernelRun run = run_kernel(module_with(R"(
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  mov.u32 %r3, %r1;
  setp.ge.u32 %p1, %r1, 8;
  @!%p1 bra $meet;
  st.global.u32 [%rd3], %r1;
  add.u32 %r3, %r3, 100;
$meet:
  shfl.sync.bfly.b32 %r2, %r3, 31, 31, 0xffffffff;
  st.global.u32 [%rd3], %r2;
)"),
                                   32, 32);
  CHECK(run.ids().empty());
  CHECK(run.words[0] == 131);
}

TEST_CASE("lanes that make more rounds than others are waited for only while these go round", "[vgpu]") {
  // Lane l makes l + 1 rounds, and every round has a shuffle of all 32 lanes.
  const std::string rounds = R"(
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  mov.u32 %r4, 0;
$round:
  .loc 1 5 1
  shfl.sync.idx.b32 %r2, %r1, 31, 31, 0xffffffff;
  add.u32 %r4, %r4, 1;
  setp.le.u32 %p1, %r4, %r1;
  @%p1 bra $round;
  .loc 1 8 1
)";
  const KernelRun goes_on = run_kernel(module_with(rounds + kStore), 32, 32);
  CHECK(goes_on.words[0] == 31);
  CHECK(goes_on.ids() == std::vector<std::string>{kDivergence});
  CHECK(run_kernel(module_with(rounds), 32, 32).findings[0].severity == Severity::advice);
}

TEST_CASE("barriers of the warp in both arms of a branch are one", "[vgpu]") {
  const KernelRun run = run_branch("bar.warp.sync 0xffffffff;\n  bra $end;", R"(
  bar.warp.sync 0xffffffff;
$end:
)" + kStore);
  CHECK(run.ids().empty());
}

TEST_CASE("lanes that go past the call of a function that shuffles", "[vgpu]") {
  const std::string function = R"(
.func (.param .b32 result) from_next(.param .b32 value)
{
  .reg .b32 %r<3>;
  ld.param.u32 %r1, [value];
  .loc 1 3 1
  shfl.sync.down.b32 %r2, %r1, 1, 7, 0xffffffff;
  st.param.b32 [result], %r2;
  ret;
}
)";
  const std::string call = R"(
  {
  .param .b32 p;
  .param .b32 q;
  st.param.b32 [p], %r1;
  call (q), from_next, (p);
  ld.param.b32 %r2, [q];
  }
)";
  const KernelRun run = run_branch(call, kStore, function);
  REQUIRE(run.ids() == std::vector<std::string>{kDivergence});
  CHECK(run.findings[0].where.line == 3);
  CHECK(run.findings[0].severity == Severity::error);
  CHECK(run_branch(call + kStore, "", function).findings[0].severity == Severity::advice);
}

TEST_CASE("shuffles in both arms of a branch are one meeting", "[vgpu]") {
  const auto run = [](const std::string& operands) {
    const std::string shuffle = "shfl.sync.bfly.b32 %r2, %r1, " + operands + ", 0xffffffff;\n";
    return run_branch(shuffle + "add.u32 %r2, %r2, 100;\n  bra $end;", shuffle + "$end:\n" + kStore);
  };
  // Lanes 0 to 7 and the others have their own places. A neighbour is at the same place.
  const KernelRun apart = run("1, 31");
  CHECK(apart.ids().empty());
  CHECK(apart.words[0] == 101);
  CHECK(apart.words[7] == 106);
  CHECK(apart.words[8] == 9);
  CHECK(apart.words[31] == 30);
  // Lane 8 is not, and gives its value all the same.
  const KernelRun across = run("8, 31");
  CHECK(across.ids().empty());
  CHECK(across.words[0] == 108);
  CHECK(across.words[7] == 115);
  CHECK(across.words[8] == 0);
  CHECK(across.words[16] == 24);
}

TEST_CASE("rows of lanes that make different numbers of rounds, with a shuffle behind them", "[vgpu]") {
  // Lanes 0 to 15 make one round, the others two. Each row adds up by shuffles of 16 lanes that name all 32.
  const KernelRun run = run_kernel(module_with(R"(
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  shr.u32 %r4, %r1, 4;
  mov.u32 %r2, 0;
$round:
  shfl.sync.idx.b32 %r3, %r2, 15, 0x101f, 0xffffffff;
  add.u32 %r2, %r3, %r1;
  setp.eq.u32 %p1, %r4, 0;
  sub.u32 %r4, %r4, 1;
  @!%p1 bra $round;
  shfl.sync.idx.b32 %r2, %r2, 15, 0x101f, 0xffffffff;
  st.global.u32 [%rd3], %r2;
)"),
                                   32, 32);
  CHECK(run.status == LaunchStatus::ok);
  CHECK(run.ids() ==
        std::vector<std::string>{kDivergence});  // the shorter row does not come to the last round of the other
  CHECK(run.words[3] == 15);
  CHECK(run.words[20] == 62);
}

TEST_CASE("votes, matches and reductions in both arms of a branch are one meeting of all lanes", "[vgpu]") {
  // `first` in lanes 0 to 7, `second` in the others.
  const auto run = [](const std::string& first, const std::string& second) {
    return run_branch(first + "\n  bra $end;", second + "\n$end:\n" + kStore);
  };
  const auto check_all = [](const KernelRun& done, std::uint32_t low, std::uint32_t high) {
    CHECK(done.status == LaunchStatus::ok);
    CHECK(done.ids().empty());
    for (std::uint32_t lane = 0; lane < 32; ++lane) CHECK(done.words[lane] == (lane < 8 ? low : high));
  };
  // An H100 gives all lanes the union of both arms' predicates.
  check_all(run("setp.gt.u32 %p2, %r1, 5;\n  vote.sync.ballot.b32 %r2, %p2, -1;\n  add.u32 %r2, %r2, 1;",
                "setp.gt.u32 %p3, %r1, 20;\n  vote.sync.ballot.b32 %r2, %p3, -1;"),
            0xFFE000C1, 0xFFE000C0);
  const auto vote = [](const std::string& mode, const char* threshold) {
    return std::string("setp.lt.u32 %p2, %r1, ") + threshold + ";\n  vote.sync." + mode +
           ".pred %p3, %p2, -1;\n  selp.u32 %r2, 1, 0, %p3;";
  };
  check_all(run(vote("any", "3"), vote("any", "3")), 1, 1);
  check_all(run(vote("all", "8"), vote("all", "31")), 0, 0);
  check_all(run(vote("all", "8"), vote("all", "32")), 1, 1);
  check_all(run(vote("uni", "0"), vote("uni", "0")), 1, 1);
  // Lanes 3 and 11, and so on, are alike.
  const KernelRun match = run("and.b32 %r3, %r1, 7;\n  match.any.sync.b32 %r2, %r3, -1;",
                              "and.b32 %r4, %r1, 7;\n  match.any.sync.b32 %r2, %r4, -1;");
  CHECK(match.ids().empty());
  for (std::uint32_t lane = 0; lane < 32; ++lane) CHECK(match.words[lane] == 0x01010101u << lane % 8);
  const auto match_all = [](const char* value) {
    return std::string("mov.u64 %rd5, ") + value +
           ";\n  match.all.sync.b64 %r2|%p2, %rd5, -1;\n  @%p2 add.u32 %r2, %r2, 1;";
  };
  check_all(run(match_all("0x100000007"), match_all("0x100000007")), 0, 0);  // all lanes, and 1
  check_all(run(match_all("0x100000007"), match_all("0x200000007")), 0, 0);
  check_all(run("redux.sync.add.u32 %r2, %r1, -1;", "redux.sync.add.u32 %r2, %r1, -1;"), 496, 496);
  check_all(run("redux.sync.max.s32 %r2, -1, -1;", "redux.sync.max.s32 %r2, -5, -1;"), ~0u, ~0u);
}

TEST_CASE("votes of two kinds are no meeting", "[vgpu]") {
  const KernelRun run = run_branch("vote.sync.any.pred %p2, 1, 0xffffffff;\nbra $end;",
                                   "vote.sync.all.pred %p2, 1, 0xffffffff;\n$end:\n" + kStore);
  CHECK(run.status == LaunchStatus::barrier_deadlock);
  REQUIRE_FALSE(run.ids().empty());
  CHECK(run.ids()[0] == kDivergence);
}
