// Races in spite of a barrier that a condition lets threads skip, and others.
#include "explain/barriers/skipped_barrier.h"

#include <string>

#include "catch.h"
#include "tests/replaced.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_skipped_barrier {
namespace {

/// Several tiles a block: the barrier in line 9 is left out in the last phase of each.
const std::string kTiles =
    "__global__ void k(const float* a, float* c, int n, int jobs) {\n"
    "  const cg::thread_block team = cg::this_thread_block();\n"
    "  for (int job = blockIdx.x; job < jobs; job += gridDim.x) {\n"
    "    float sum = 0;\n"
    "    for (int t = 0; t < n; t += S) {\n"
    "      tile[x] = a[t + x];\n"
    "      team.sync();\n"
    "      for (int k = 0; k < S; ++k) sum += tile[k];\n"
    "      if (t + S < n) team.sync();\n"
    "    }\n"
    "    c[job] = sum;\n"
    "  }\n"
    "}\n";

std::string help_of(const std::string& source, std::uint32_t earlier = 8, std::uint32_t later = 6,
                    const std::string& help = "put a `__syncthreads()` after line 8") {
  MergedFinding finding;
  finding.id = finding_ids::kSharedRace;
  finding.where = {"k.cu", later, 7};
  finding.other = OtherPlace{"the other thread's read is here", {"k.cu", earlier, 7}, {}, {}};
  finding.help = help;
  show_skipped_barrier(finding, source);
  return finding.help;
}

const std::string kAsBefore = "put a `__syncthreads()` after line 8";

TEST_CASE("a barrier that is left out in the last round is named, with the loop that comes back", "[explain]") {
  CHECK(
      help_of(kTiles) ==
      "line 9 has a barrier, `team.sync()`, but only where `t + S < n` is true: where it is false, the loop in line 3 "
      "comes back to line 6 without it; let all threads reach this barrier each time, outside of the `if`");
  // The order in which the two were seen says nothing.
  CHECK(help_of(kTiles, 6, 8) == help_of(kTiles));
}

TEST_CASE("which loop comes back is said where it is known", "[explain]") {
  const std::string other = replaced(kTiles, "if (t + S < n)", "if (t > 0)");
  CHECK(help_of(other).find("where it is false, line 6 is executed again without it") != std::string::npos);
  const std::string alone = replaced(other, "for (int job = blockIdx.x; job < jobs; job += gridDim.x) {", "{");
  CHECK(help_of(alone).find("the loop in line 5 comes back to line 6") != std::string::npos);
  // The outer loop has a barrier of its own.
  const std::string outside = replaced(kTiles, "c[job] = sum;", "__syncthreads(); c[job] = sum;");
  CHECK(help_of(outside).find("line 6 is executed again without it") != std::string::npos);
}

TEST_CASE("a barrier that is skipped between the two lines of a round is named", "[explain]") {
  const std::string first =
      replaced(replaced(kTiles, "if (t + S < n) ", ""), "      team.sync();", "      if (t > 0) team.sync();");
  CHECK(help_of(first).find("line 7 has a barrier, `team.sync()`, but only where `t > 0` is true: where it is false, "
                            "line 8 comes after line 6 without it") != std::string::npos);
  const std::string straight =
      "__global__ void k() {\n  tile[x] = 1;\n  if (n > 64) {\n    y = 0;\n  } else {\n    __syncthreads();\n  }\n"
      "  y = tile[x + 1];\n}\n";
  CHECK(help_of(straight, 2, 8).find("only where `n > 64` is false: where it is true, line 8 comes after line 2") !=
        std::string::npos);
  CHECK(help_of(straight, 8, 2) == kAsBefore);  // nothing comes back
}

TEST_CASE("a barrier that no condition lets threads skip is not to blame", "[explain]") {
  CHECK(help_of(replaced(kTiles, "      if (t + S < n) team.sync();\n", "")) == kAsBefore);
  CHECK(help_of(replaced(kTiles, "if (t + S < n) ", "")) == kAsBefore);
  // Both ways, one of which was taken.
  CHECK(help_of(replaced(kTiles, "      team.sync();", "      if (t > 0) team.sync();")) == kAsBefore);
  // Of a warp, or perhaps so.
  CHECK(help_of(replaced(kTiles, "= cg::this", "= cg::tiled_partition<32>(cg::this")) == kAsBefore);
  CHECK(help_of(replaced(kTiles, "if (t + S < n) team.sync()", "if (t + S < n) __syncwarp()")) == kAsBefore);
  CHECK(help_of(replaced(kTiles, "if (t + S", "if (t > 9) break;\n if (t + S")) == kAsBefore);
}

TEST_CASE("other advice, and other findings, stay", "[explain]") {
  CHECK(help_of(kTiles, 8, 6, "put a `__syncwarp()` after line 8") == "put a `__syncwarp()` after line 8");
  CHECK(help_of(kTiles, 8, 99) == kAsBefore);
  CHECK(help_of(kTiles, 6, 6) == kAsBefore);
}

}  // namespace
}  // namespace cudalabs::test::of_skipped_barrier
