// Reads of shared memory that nobody has written, with a barrier before them and without one.
#include "explain/barriers/unwritten_place.h"

#include <string>

#include "catch.h"
#include "tests/replaced.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_unwritten_place {
namespace {

/// The tile is written in line 8, and read in line 12.
const std::string kTile =
    "constexpr int SIDE = 64, PITCH = 68;\n"
    "__global__ void k(const float* b, int n) {\n"
    "  __shared__ float tile[16 * PITCH];\n"
    "  for (int k0 = 0; k0 < n; k0 += 16) {\n"
    "    for (int e = t; e < 16 * SIDE; e += 256) {\n"
    "      const int k = e / SIDE;\n"
    "      const int j = e % SIDE;\n"
    "      tile[e] = b[(k0 + k) * n + j];\n"
    "    }\n"
    "    __syncthreads();\n"
    "\n"
    "    for (int k = 0; k < 16; ++k) sum += tile[k * PITCH + t + 16 * s];\n"
    "    __syncthreads();\n"
    "  }\n"
    "}\n";

const Help kAsBefore = Advice::write_before_read;

MergedFinding explained(const std::string& source, const Help& help = kAsBefore) {
  MergedFinding finding;
  finding.id = finding_ids::kUninitializedRead;
  finding.message = "read of shared memory that no thread of the block has written";
  finding.where = {"k.cu", 12, 5};
  finding.note = "4 bytes at `tile[1036]`\nin 2 cases";
  finding.access.element = "tile[1036]";
  finding.help = help;
  show_unwritten_place(finding, source, {});
  return finding;
}

TEST_CASE("lines that count with rows of different lengths are shown, and no barrier is advised", "[explain]") {
  const MergedFinding made = explained(kTile);
  CHECK(made.message == "`tile` is written with rows of 64 elements, and read here with rows of 68");
  CHECK(made.help ==
        "line 8 fills `tile` with rows of 64 (`SIDE`) elements, and line 12 reads it with rows of 68 (`PITCH`): use "
        "the same row length in both lines");
  REQUIRE(made.other);
  CHECK(made.other->place == SourcePlace{"k.cu", 8, 7});
  CHECK(made.other->label == "`tile` is written here");
  CHECK(explained(replaced(kTile, "tile[e]", "tile[k * 32 + j]")).message ==
        "`tile` is written with rows of 32 elements, and read here with rows of 68");
}

TEST_CASE("where the rows are alike, or not known, the writing line is shown", "[explain]") {
  const std::string alike =
      "line 8 writes `tile[k * PITCH + j]`: write every element before it is read, also those for which there is no "
      "input, and compute the same place for the same element in both lines";
  CHECK(explained(replaced(kTile, "tile[e]", "tile[k * PITCH + j]")).help == alike);
  CHECK(explained(replaced(kTile, "tile[k * P", "tile[64 * s + k * P")).message.starts_with("read of shared"));
  CHECK(explained(replaced(kTile, "e / SIDE", "e / n")).message.starts_with("read of shared"));
  CHECK(explained(replaced(kTile, "tile[e]", "if (j < n) tile[e]")).help.find("with rows of 64") != std::string::npos);
  const std::string conditional = replaced(kTile, "tile[e]", "if (j < n) tile[f(e)]");
  CHECK(explained(conditional).help.starts_with("line 8 writes `tile[f(e)]`, but only where `j < n` is true: write"));
}

/// Line 6 writes an element for each warp, and line 9 reads one for each lane.
const std::string kSum =
    "template <typename T>\n"
    "__global__ void k(const T* in, T* out, int n) {\n"
    "  __shared__ T sums[32];\n"
    "  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;\n"
    "  T v = in[threadIdx.x];\n"
    "  if (lane == 0) sums[warp] = v;\n"
    "  __syncthreads();\n"
    "  if (warp == 0) {\n"
    "    v = sums[lane];\n"
    "    out[lane] = v;\n"
    "  }\n"
    "}\n";

std::string help_of_sum(const std::string& source, std::vector<Index3> blocks, const std::string& element = "sums[8]") {
  SubmissionRun all;
  CaseRun& case_run = all.case_runs.emplace_back();
  case_run.test.spec.name = "small";
  for (const Index3& block : blocks) {
    vgpu::LaunchCounters& launch = case_run.observed.launches.emplace_back();
    launch.kernel = "k<float>";
    launch.config = {{2, 1, 1}, block};
  }
  MergedFinding finding;
  finding.id = finding_ids::kUninitializedRead;
  finding.where = {"k.cu", 9, 9};
  finding.kernel = "k<float>";
  finding.block = Index3{0, 0, 0};
  finding.thread = Index3{8, 0, 0};
  finding.cases = {"small"};
  finding.access.element = element;
  finding.help = kAsBefore;
  show_unwritten_place(finding, source, all);
  return finding.help;
}

TEST_CASE("where the block has too few warps for all that is read, the reading line gets the condition", "[explain]") {
  const std::string cure =
      "line 6 writes only elements 0 to 7 of `sums`, for the block has 8 warps: in line 9 read `lane < blockDim.x / 32 "
      "? sums[lane] : 0`, which counts all others as 0";
  CHECK(help_of_sum(kSum, {{256, 1, 1}}) == cure);
  CHECK(help_of_sum(replaced(kSum, "threadIdx.x / 32", "threadIdx.x >> 5"), {{256, 1, 1}, {256, 1, 1}}) == cure);
  CHECK(help_of_sum(kSum, {{240, 1, 1}}).find("`lane < (blockDim.x + 31) / 32 ?") != std::string::npos);
  CHECK(help_of_sum(replaced(kSum, "= sums[lane]", "= sums[31 - lane]"), {{256, 1, 1}})
            .ends_with("8 warps: read no element behind them, or let threads write these, too"));
  CHECK(help_of_sum(replaced(kSum, "sums[warp]", "sums[threadIdx.x]"), {{16, 1, 1}}, "sums[16]")
            .starts_with("line 6 writes only elements 0 to 15 of `sums`, for the block has 16 threads: in line 9 read "
                         "`lane < blockDim.x ?"));
  CHECK(help_of_sum(kSum, {{32, 8, 1}}, "sums[1]").starts_with("line 6 writes only element 0 of `sums`: in line 9 "));
}

TEST_CASE("where a thread of the block has the element that is read, its condition is shown", "[explain]") {
  const auto blames_condition = [](const std::string& help) {
    return help.find("but only where") != std::string::npos;
  };
  CHECK(blames_condition(help_of_sum(kSum, {{256, 1, 1}}, "sums[7]")));
  CHECK(blames_condition(help_of_sum(kSum, {{512, 1, 1}})));
  // One of the two launches may have written it.
  CHECK(blames_condition(help_of_sum(kSum, {{256, 1, 1}, {512, 1, 1}})));
  CHECK(blames_condition(help_of_sum(kSum, {})));
  // Not all from the first on.
  CHECK(blames_condition(help_of_sum(replaced(kSum, "sums[warp]", "sums[warp + 1]"), {{256, 1, 1}}, "sums[9]")));
  CHECK(blames_condition(help_of_sum(replaced(kSum, "sums[warp]", "sums[2 * warp]"), {{256, 1, 1}}, "sums[30]")));
  CHECK(blames_condition(help_of_sum(replaced(kSum, "sums[warp]", "sums[f(warp)]"), {{256, 1, 1}})));
}

TEST_CASE("of several lines that write none is shown", "[explain]") {
  const MergedFinding made = explained(replaced(kTile, "tile[e]", "tile[0] = 0; tile[e]"));
  CHECK_FALSE(made.other);
  CHECK(made.help.find("__syncthreads") == std::string::npos);
}

TEST_CASE("what stands before the advice stays", "[explain]") {
  CHECK(explained(kTile, {Advice::write_before_read, "the compiler warns; " + kAsBefore})
            .help.starts_with("the compiler warns; line 8 fills"));
}

TEST_CASE("where no barrier is known to stand between, or more lines may write, the advice stays", "[explain]") {
  CHECK(explained(replaced(kTile, "    __syncthreads();\n\n", "\n\n")).help == kAsBefore);
  CHECK(explained(replaced(kTile, "    __syncthreads();\n\n", "    if (k0) __syncthreads();\n\n")).help == kAsBefore);
  CHECK(explained(replaced(kTile, "tile[k * PITCH + t + 16 * s];\n", "tile[k * PITCH]; tile[t] = 0;\n")).help ==
        kAsBefore);
  CHECK(explained(replaced(kTile, "tile[e] =", "fill(tile); tile[e] =")).help == kAsBefore);
  CHECK(explained(replaced(kTile, "tile[e] =", "x =")).help == kAsBefore);
  CHECK(explained(kTile, "another help").help == "another help");
}

}  // namespace
}  // namespace cudalabs::test::of_unwritten_place
