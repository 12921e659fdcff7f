// Shuffles across the rows of a block.
#include "explain/barriers/shuffle_rows.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_shuffle_rows {
namespace {

std::string kernel_with(const std::string& call) {
  return "__global__ void product(const float* a, float* c) {\n  float sum = 0;\n"
         "  for (int k = 0; k < 16; ++k) {\n    sum += " +
         call + ";\n  }\n  c[0] = sum;\n}\n";
}

std::uint32_t line_in(const std::string& call) {
  const auto found = shuffle_by_counter(kernel_with(call), "product");
  return found ? found->line : 0;
}

MergedFinding shown(const Index3& block) {
  SubmissionRun submission_run;
  CaseRun& case_run = submission_run.case_runs.emplace_back();
  case_run.observed.launches.emplace_back().kernel = "product";
  case_run.observed.launches.back().config.block = block;
  MergedFinding finding;
  finding.id = finding_ids::kResultMismatch;
  finding.kernel = "product";
  finding.where = {"k.cu", 6, 3};
  finding.help = "as it was";
  show_shuffle_across_rows(finding, kernel_with("__shfl_sync(ALL, mine, k)"), submission_run);
  return finding;
}

}  // namespace

TEST_CASE("a shuffle from the lane that a loop counts has no width") {
  CHECK(line_in("__shfl_sync(ALL, mine, k)") == 4);
  CHECK(line_in("__shfl_sync(ALL, mine, k, 16)") == 0);
  CHECK(line_in("__shfl_sync(ALL, mine, k + 16 * (ty % 2))") == 0);
  CHECK(line_in("__shfl_sync(ALL, mine, 0)") == 0);
  CHECK(line_in("__shfl_sync(ALL, mine, k) + __shfl_sync(ALL, yours, k)") == 0);
  CHECK(line_in("__shfl_down_sync(ALL, mine, k)") == 0);
  CHECK_FALSE(shuffle_by_counter(kernel_with("__shfl_sync(ALL, mine, k)"), "other"));
  CHECK_FALSE(shuffle_by_counter("void product() { __shfl_sync(", "product"));
}

TEST_CASE("it is blamed in blocks whose rows are parts of a warp") {
  const MergedFinding rows = shown({16, 16, 1});
  CHECK(rows.where.line == 4);
  CHECK(rows.help.find("holds 2 rows of this block of 16 × 16 threads") != std::string::npos);
  CHECK(rows.proven);
  CHECK(shown({32, 8, 1}).help == "as it was");
  CHECK(shown({16, 1, 1}).help == "as it was");
  CHECK(shown({12, 16, 1}).help == "as it was");
}

}  // namespace cudalabs::test::of_shuffle_rows
