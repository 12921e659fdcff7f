// Rows and columns that are made of a `float`, and row lengths that may be wrong.
#include "explain/accesses/float_index.h"

#include <string>

#include "catch.h"
#include "tests/check/make.h"
#include "tests/replaced.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {
namespace {

const std::string kFlat =
    "__device__ int row_of(int i, float inverse) {\n"
    "  return static_cast<int>(i * inverse);\n"
    "}\n"
    "__global__ void k(const float* b, float* c, int n, int p, float inverse) {\n"
    "  const int row = row_of(i, inverse), col = i - row * p;\n"
    "  for (int k = 0; k < n; ++k)\n"
    "    sum += b[k * p + col];\n"
    "}\n";

const Help kAsBefore{Advice::guard_and_sizes, "check that `n` and the row length are the ones"};

/// An access past the end of `b`, of `columns` columns, in a launch with p = 97.
MergedFinding explained(const std::string& source, std::int64_t columns = 97) {
  MergedFinding made{finding(std::string(finding_ids::kGlobalOutOfBounds), 7), {"flat"}};
  made.where = {"k.cu", 7, 12};
  made.kernel = "k";
  made.access.array = "b";
  made.access.past_end_of = static_cast<std::uint64_t>(5 * columns * 4);
  made.launch.given = {{3, 5, false}, {4, 97, false}};
  made.help = kAsBefore;
  SubmissionRun submission_run;
  submission_run.case_runs.push_back(case_run_with("flat", expected_matrix(4, 4), float_matrix("c", 4, 4)));
  submission_run.case_runs.back().test.inputs.push_back(float_matrix("b", 5, columns));
  std::vector<MergedFinding> findings{std::move(made)};
  show_float_indices(findings, source, "k.cu", submission_run);
  return findings.front();
}

}  // namespace

TEST_CASE("the line that makes a row of a `float` is shown where the row length is right") {
  const MergedFinding made = explained(kFlat);
  REQUIRE(made.other);
  CHECK(made.other->place == SourcePlace{"k.cu", 2, 10});
  CHECK(made.help ==
        "rows of `b` have `p` elements, as this line has it: the number of a row or column is wrong; line 2 drops the "
        "fraction of `i * inverse`, and rounding may have made that too small: compute such numbers with integers, by "
        "`/` and `%`");
}

TEST_CASE("where the row length may be wrong, or nothing is made of a `float`, the question stays") {
  CHECK(explained(kFlat, 90).help == kAsBefore);
  CHECK(explained(replaced(kFlat, "k * p + col", "k * n + col")).help == kAsBefore);
  CHECK(explained(replaced(kFlat, "k * p + col", "k * p + n * col")).help == kAsBefore);
  CHECK(explained(replaced(kFlat, "static_cast<int>(i * inverse)", "i / 97")).help == kAsBefore);
  CHECK(explained(replaced(kFlat, "row_of(i, inverse)", "i / p")).help == kAsBefore);
}

}  // namespace cudalabs::test
