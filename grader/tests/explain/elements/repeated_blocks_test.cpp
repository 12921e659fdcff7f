// Blocks that begin too near to each other for what each of them does.
#include "explain/elements/repeated_blocks.h"

#include <string>

#include "catch.h"
#include "tests/replaced.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_repeated_blocks {
namespace {

const std::string kRows =
    "__global__ void k(float* c, int m, int p) {\n"
    "  const int row0 = blockIdx.y * 16 + threadIdx.y;\n"
    "  const int col = blockIdx.x * 16 + threadIdx.x;\n"
    "  for (int r = 0; r < 4; ++r) {\n"
    "    const int row = row0 + r * 16;\n"
    "    if (row >= m) break;\n"
    "    c[row * p + col] = 1;\n"
    "  }\n"
    "}\n";

std::string help_of(const std::string& source, const Index3& other = {0, 0, 0}, std::uint32_t other_line = 7) {
  SubmissionRun all;
  CaseRun& case_run = all.case_runs.emplace_back();
  case_run.test.spec.name = "small";
  vgpu::LaunchCounters& launch = case_run.observed.launches.emplace_back();
  launch.kernel = "k";
  launch.config = {{2, 8, 1}, {16, 16, 1}};
  MergedFinding finding;
  finding.id = finding_ids::kGlobalRace;
  finding.where = {"k.cu", 7, 22};
  finding.kernel = "k";
  finding.block = Index3{0, 1, 0};
  finding.cases = {"small"};
  finding.other = OtherPlace{"the write", {"k.cu", other_line, 0}, other, {}};
  finding.help = "as before";
  std::vector<MergedFinding> findings{finding};
  show_repeated_blocks(findings, source, "k.cu", all);
  return findings.front().help;
}

TEST_CASE("blocks that begin nearer than what each does are told how far apart they have to be", "[explain]") {
  CHECK(help_of(kRows) ==
        "along y blocks begin 16 values of `row` apart, but each goes through 64, so neighbours do the same elements: "
        "begin at `blockIdx.y * 64`, and launch one block for each 64");
  const std::string next = replaced(replaced(kRows, "threadIdx.y;", "threadIdx.y * 4;"), "r * 16", "r");
  CHECK(help_of(next).starts_with("along y blocks begin 16 values of `row` apart, but each goes through 64"));
}

TEST_CASE("blocks that do not overlap, or overlap otherwise, are not blamed", "[explain]") {
  CHECK(help_of(replaced(kRows, "blockIdx.y * 16", "blockIdx.y * 64")) == "as before");
  CHECK(help_of(replaced(kRows, "r * 16", "r * 16 * gridDim.y")) == "as before");
  CHECK(help_of(replaced(kRows, "r * 16", "r * 0")) == "as before");
  CHECK(help_of(replaced(kRows, "row0 + r * 16", "f(row0, r)")) == "as before");
  CHECK(help_of(replaced(kRows, "r < 4; ++r", "r < 4; r += 2")) == "as before");
  // Along another axis, along two, and in another line.
  CHECK(help_of(kRows, {1, 1, 0}) == "as before");
  CHECK(help_of(kRows, {1, 0, 0}) == "as before");
  CHECK(help_of(kRows, {0, 0, 0}, 6) == "as before");
}

}  // namespace
}  // namespace cudalabs::test::of_repeated_blocks
