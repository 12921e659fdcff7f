// Shuffles that read lanes which do not execute them: the value is 0, and a finding where the result depends on it.
#include <algorithm>
#include <optional>
#include <string>

#include "kernel_run.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

const std::string kInactiveLane = "shuffle-from-inactive-lane";

// %r2 = 100 + lane; `body` leaves a word in %r9 of those threads for which %p9 holds, which is stored in out[lane].
std::string with_values(const std::string& body) {
  return module_with(R"(
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  add.s32 %r2, %r1, 100;
  setp.ne.u32 %p9, %r1, 999;
  .loc 1 5 1
)" + body + R"(
  @%p9 st.global.u32 [%rd3], %r9;
)");
}

}  // namespace

TEST_CASE("a lane that does not execute the shuffle gives 0", "[vgpu]") {
  // __shfl_down_sync(0xff, v, 16) in lanes 0 to 7 of a warp
  const KernelRun run = run_kernel(with_values(R"(
  setp.lt.u32 %p9, %r1, 8;
  @!%p9 bra $L1;
  shfl.sync.down.b32 %r9|%p1, %r2, 16, 31, 0xff;
  selp.u32 %r3, 1000, 0, %p1;
  add.s32 %r9, %r9, %r3;
$L1:
)"),
                                   32, 8);
  CHECK(run.words == std::vector<std::uint32_t>(8, 1000));  // in range, as the ISA counts it
  REQUIRE(run.ids() == std::vector<std::string>{kInactiveLane});
  CHECK(run.findings[0].where == SourcePlace{"k.cu", 5, 1});
  CHECK(run.findings[0].note == "lane 0 reads lane 16; the lanes that execute the shuffle here are 0x000000ff");
  CHECK(run.findings[0].count == 8);
}

TEST_CASE("so do lanes that have exited, and lanes that the block does not have", "[vgpu]") {
  const KernelRun exited = run_kernel(with_values(R"(
  setp.ge.u32 %p1, %r1, 16;
  @%p1 exit;
  shfl.sync.bfly.b32 %r9, %r2, 16, 31, 0xffffffff;
)"),
                                      32, 16);
  CHECK(exited.words == std::vector<std::uint32_t>(16, 0));
  CHECK(exited.ids() ==
        std::vector<std::string>{"barrier-divergence", kInactiveLane});  // the first of them advice: the mask
  const KernelRun absent = run_kernel(with_values("shfl.sync.idx.b32 %r9, %r2, 20, 31, 0xffffffff;"), 4, 4);
  CHECK(absent.words == std::vector<std::uint32_t>(4, 0));
  CHECK(absent.ids() == std::vector<std::string>{kInactiveLane});
}

TEST_CASE("a source outside the segment gives the lane's own value", "[vgpu]") {
  const KernelRun run = run_kernel(with_values("shfl.sync.up.b32 %r9|%p1, %r2, 3, 0, 0xffff;"), 16, 16);
  for (std::uint32_t lane = 0; lane < 16; ++lane) CHECK(run.words[lane] == 100 + (lane < 3 ? lane : lane - 3));
  CHECK(run.ids().empty());
}

TEST_CASE("a tree over all lanes is no finding", "[vgpu]") {
  std::string tree;
  for (const char* distance : {"16", "8", "4", "2", "1"}) {
    tree += std::string("  shfl.sync.down.b32 %r3, %r2, ") + distance + ", 31, 0xffffffff;\n  add.s32 %r2, %r2, %r3;\n";
  }
  const KernelRun run = run_kernel(with_values(tree + "  mov.u32 %r9, %r2;\n  setp.eq.u32 %p9, %r1, 0;"), 32, 1);
  CHECK(run.words[0] == 3696);
  CHECK(run.ids().empty());
}

TEST_CASE("what nobody looks at is no finding", "[vgpu]") {
  // A tree over 8 lanes, distances 4, 2 and 1: lanes 4 to 7 read beyond, and only lane 0's sum is stored.
  std::string tree = "  setp.lt.u32 %p1, %r1, 8;\n  @!%p1 bra $L1;\n";
  for (const char* distance : {"4", "2", "1"}) {
    tree += std::string("  shfl.sync.down.b32 %r3, %r2, ") + distance + ", 31, 0xff;\n  add.s32 %r2, %r2, %r3;\n";
  }
  tree += "$L1:\n  mov.u32 %r9, %r2;\n";
  const KernelRun top = run_kernel(with_values(tree + "  setp.eq.u32 %p9, %r1, 0;"), 32, 1);
  CHECK(top.words[0] == 828);
  CHECK(top.ids().empty());
  // The same tree where the sums of all lanes are stored; those of the last shuffle are all that matter.
  const KernelRun all = run_kernel(with_values(tree + "  setp.lt.u32 %p9, %r1, 8;"), 32, 8);
  CHECK(std::ranges::count(all.ids(), kInactiveLane) == 1);
}

TEST_CASE("a maximum depends on it where all numbers are negative", "[vgpu]") {
  const std::string ending = R"(
  cvt.rn.f32.u32 %f1, %r2;
  neg.f32 %f1, %f1;
  mov.b32 %r4, %f1;
  shfl.sync.down.b32 %r5, %r4, 4, 31, 0xf;
  mov.b32 %f2, %r5;
  max.f32 %f3, %f1, %f2;
  mov.b32 %r9, %f3;
)";
  CHECK(run_kernel(with_values(ending), 4, 4).ids() == std::vector<std::string>{kInactiveLane});
}

TEST_CASE("only the shuffles that matter are named, and memory keeps what the launch wrote", "[vgpu]") {
  const KernelRun run = run_kernel(with_values(R"(
  atom.global.add.u32 %r8, [%rd1+32], 1;
  shfl.sync.down.b32 %r3, %r2, 8, 31, 0xff;
  .loc 1 6 1
  shfl.sync.down.b32 %r9, %r2, 16, 31, 0xff;
)"),
                                   8, 9);
  REQUIRE(run.findings.size() == 1);
  CHECK(run.findings[0].where.line == 6);
  CHECK(run.words[8] == 8);
  CHECK(run.words[0] == 0);
}

namespace {

std::optional<OtherPlace> cause_of_inactive(const KernelRun& run) {
  for (const Finding& finding : run.findings)
    if (finding.id == kInactiveLane) return finding.cause;
  return std::nullopt;
}

/// Two conditions in lines 6 and 8 before a shuffle in line 10 that all lanes read lane 0 to 31 of.
std::string with_two_ways_out(const std::string& shuffle) {
  return with_values(R"(
  .loc 1 6 1
  setp.ge.u32 %p1, %r1, 100;
  @%p1 bra $out;
  .loc 1 8 1
  setp.ge.u32 %p2, %r1, 16;
  @%p2 bra $early;
  .loc 1 10 1
)" + shuffle + R"(
  bra.uni $store;
$early:
  .loc 1 9 1
  bra.uni $end;
$out:
  .loc 1 7 1
  bra.uni $end;
$store:
  .loc 1 11 1
  st.global.u32 [%rd3], %r9;
$end:
  .loc 1 12 1
  setp.eq.u32 %p9, %r1, 999;
)");
}

}  // namespace

TEST_CASE("where a lane that a shuffle reads has left is the way that it took", "[vgpu]") {
  const auto cause =
      cause_of_inactive(run_kernel(with_two_ways_out("shfl.sync.bfly.b32 %r9, %r2, 16, 31, 0xffffffff;"), 32, 32));
  REQUIRE(cause);
  CHECK(cause->place.line == 8);
  CHECK(cause->label == "lane 16 left here");
}

TEST_CASE("of a function that is called twice, too", "[vgpu]") {
  const std::string other =
      ".func (.reg .b32 %x) other(.reg .b32 %v)\n{\n  .loc 1 2 1\n"
      "  shfl.sync.bfly.b32 %x, %v, 16, 31, 0xffffffff;\n  ret;\n}\n";
  const std::string calls = "call.uni (%r9), other, (%r2);\n  call.uni (%r9), other, (%r9);";
  std::string text = with_two_ways_out(calls);
  text.insert(text.find(".visible"), other);
  const auto cause = cause_of_inactive(run_kernel(text, 32, 32));
  REQUIRE(cause);
  CHECK(cause->place.line == 8);
}

TEST_CASE("a lane that the block does not have has left nowhere", "[vgpu]") {
  CHECK_FALSE(cause_of_inactive(run_kernel(with_values("shfl.sync.idx.b32 %r9, %r2, 20, 31, 0xffffffff;"), 4, 4)));
}
