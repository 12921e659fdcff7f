// Barriers of a warp in the place of one of the block.
#include "explain/barriers/small_barrier.h"

#include <string>

#include "catch.h"
#include "tests/replaced.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_small_barrier {
namespace {

const std::string kTree =
    "__global__ void k(const float* in) {\n"
    "  cg::thread_block block = cg::this_thread_block();\n"
    "  auto warp = cg::tiled_partition<32>(block);\n"
    "  sums[t] = in[t];\n"
    "  block.sync();\n"
    "  for (int s = 128; s > 0; s /= 2) {\n"
    "    if (t < s) sums[t] += sums[t + s];\n"
    "    warp.sync();\n"
    "  }\n"
    "}\n";

const Help kAsBefore{Advice::block_barrier, "put a `__syncthreads()` between the two accesses of line 7"};

std::string help_of(const std::string& source, const Help& help = kAsBefore, std::uint32_t other = 7) {
  MergedFinding finding;
  finding.id = finding_ids::kSharedRace;
  finding.help = help;
  finding.where = {"k.cu", 7, 20};
  finding.other = OtherPlace{"the read", {"k.cu", other, 0}, {}, {}};
  return name_small_barrier(finding, source) ? std::string(finding.help) : std::string();
}

TEST_CASE("a barrier of a warp is named that stands where one of the block must", "[explain]") {
  CHECK(help_of(kTree) ==
        "`warp.sync()` in line 8 is too small: it waits for at most 32 threads, those of one warp, and other warps of "
        "the block use these elements, too; call `block.sync()` there, outside of all conditions");
  CHECK(help_of(replaced(kTree, "warp.sync();", "__syncwarp();")).starts_with("`__syncwarp()` in line 8 is too small"));
  const std::string direct = replaced(replaced(kTree, "  block.sync();\n", "\n"), "cg::thread_block block = ", "");
  CHECK(help_of(direct).find("call `__syncthreads()` there") != std::string::npos);
  CHECK(help_of(replaced(kTree, "cg::tiled_partition<32>(block)", "cg::coalesced_threads()")).size() > 0);
}

TEST_CASE("where it is not the barrier that is missing, nothing is named", "[explain]") {
  // One of the block stands there, too; of the warp stand two, or none, or outside of the loop.
  CHECK(help_of(replaced(kTree, "warp.sync();", "warp.sync(); block.sync();")).empty());
  CHECK(help_of(replaced(kTree, "warp.sync();", "warp.sync(); warp.sync();")).empty());
  CHECK(help_of(replaced(kTree, "warp.sync();", "")).empty());
  CHECK(help_of(replaced(kTree, "warp.sync();\n  }", "\n  }\n  warp.sync();")).empty());
  CHECK(help_of(replaced(kTree, "cg::tiled_partition<32>(block)", "cg::this_grid()")).empty());
  // The other access is before the loop, and lanes of one warp need no more.
  CHECK(help_of(kTree, kAsBefore, 4).empty());
  CHECK(help_of(kTree, {Advice::warp_barrier, "put a `__syncwarp()` after line 7"}).empty());
}

}  // namespace
}  // namespace cudalabs::test::of_small_barrier
