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
                    const Help& help = {Advice::block_barrier, "put a `__syncthreads()` after line 8"}) {
  MergedFinding finding;
  finding.id = finding_ids::kSharedRace;
  finding.where = {"k.cu", later, 7};
  finding.other = OtherPlace{"the other thread's read is here", {"k.cu", earlier, 7}, {}, {}};
  finding.help = help;
  show_skipped_barrier(finding, source);
  return finding.help;
}

const Help kAsBefore{Advice::block_barrier, "put a `__syncthreads()` after line 8"};

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
  CHECK(help_of(kTiles, 8, 6, {Advice::warp_barrier, "put a `__syncwarp()` after line 8"}) ==
        "put a `__syncwarp()` after line 8");
  CHECK(help_of(kTiles, 8, 99) == kAsBefore);
  CHECK(help_of(kTiles, 6, 6) == kAsBefore);
}

/// The barrier of a step is in a function: in line 3, of a kernel whose accesses are in line 7.
const std::string kHelper =
    "template <typename T>\n__device__ void wait_after(int stride) {\n"
    "  if (stride > 64) __syncthreads(); else __syncwarp();\n}\n"
    "__global__ void k(float* out) {\n  for (int stride = 128; stride > 0; stride /= 2) {\n"
    "    if (t < stride) sum[t] += sum[t + stride];\n    wait_after<float>(stride);\n  }\n}\n";

std::string help_of_step(const std::string& source, std::uint32_t thread = 32) {
  MergedFinding finding;
  finding.id = finding_ids::kSharedRace;
  finding.where = {"k.cu", 7, 28};
  finding.thread = Index3{thread, 0, 0};
  finding.other = OtherPlace{"the other thread's read is here", {"k.cu", 7, 31}, {}, Index3{0, 0, 0}};
  finding.help = kAsBefore;
  show_skipped_barrier(finding, source);
  return finding.help;
}

TEST_CASE("a barrier that a called function has not taken is named", "[explain]") {
  CHECK(help_of_step(kHelper) ==
        "`wait_after`, called in line 8, has a barrier, `__syncthreads()`, but only where `stride > 64` in line 3 is "
        "true: between these accesses it was not, and `__syncwarp()` waits for one warp alone, while these threads are "
        "of two; let all threads of the block wait there, too");
  CHECK(help_of_step(kHelper, 8)
            .ends_with("between these accesses it was not; let all threads of the block wait there, "
                       "too"));
  const std::string in_else = replaced(kHelper, "stride > 64) __syncthreads(); else __syncwarp()",
                                       "stride <= 64) __syncwarp(); else __syncthreads()");
  CHECK(help_of_step(in_else).find("only where `stride <= 64` in line 3 is false") != std::string::npos);
  // The kernel may ask for itself.
  const std::string own = replaced(kHelper, "wait_after<float>(stride);", "if (stride > 9) __syncthreads();");
  CHECK(help_of_step(own).find("line 8 has a barrier, `__syncthreads()`, but only where `stride > 9` is true") == 0);
}

TEST_CASE("a function whose barrier always comes, or that the text does not follow, says nothing", "[explain]") {
  CHECK(help_of_step(replaced(kHelper, "if (stride > 64) __syncthreads(); else __syncwarp();", "__syncthreads();")) ==
        kAsBefore);
  CHECK(help_of_step(replaced(kHelper, "if (stride > 64)", "while (stride > 64)")) == kAsBefore);
  CHECK(help_of_step(replaced(kHelper, "if (stride > 64)", "if (stride > 9) return; if (stride > 64)")) == kAsBefore);
  CHECK(help_of_step(replaced(kHelper, "    wait_after", "    if (t > 3) wait_after")) == kAsBefore);
  CHECK(help_of_step(kHelper + "__device__ void wait_after(int a, int b) { __syncthreads(); }\n") == kAsBefore);
  // In one round a thread reads what another one stores: a barrier between rounds does not help.
  CHECK(help_of_step(replaced(kHelper, "if (t < stride) sum[t] += sum[t + stride];",
                              "if (t > stride) sum[t] += sum[t - stride];")) == kAsBefore);
}

}  // namespace
}  // namespace cudalabs::test::of_skipped_barrier
