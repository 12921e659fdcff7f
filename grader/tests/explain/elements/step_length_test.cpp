// Steps that leave out what is missing, and others.
#include "explain/elements/step_length.h"

#include <string>

#include "catch.h"
#include "tests/check/make.h"
#include "tests/replaced.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {
namespace {

/// Rows along y; the columns' loop is right.
const std::string kRows =
    "__global__ void k(float* c, int m, int p) {\n"
    "  const int step = gridDim.y * blockDim.x;\n"
    "  for (int row = first(); row < m; row += step)\n"
    "    for (int col = 0; col < p; col += 1)\n"
    "      c[row * p + col] = 1;\n"
    "}\n";

/// A case in which a round of 2 × 4 rows is followed by the next one after 2 × 16.
CaseRun rows_left_out(std::int64_t rows, std::int64_t covered = 8, std::int64_t step = 32) {
  datasets::Array output = float_matrix("c", rows, 3);
  for (std::int64_t i = 0; i < rows * 3; ++i)
    if (i / 3 % step >= covered) poison(output, i);
  CaseRun made = case_run_with("rows_" + std::to_string(rows), expected_matrix(rows, 3), std::move(output));
  made.observed.launches.emplace_back().kernel = "k";
  made.observed.launches.back().config = {{1, 2, 1}, {16, 4, 1}};
  return made;
}

SubmissionRun run_of(std::vector<CaseRun> case_runs) {
  SubmissionRun submission_run;
  submission_run.case_runs = std::move(case_runs);
  return submission_run;
}

MergedFinding missing_in(std::uint32_t line) {
  MergedFinding made;
  made.id = finding_ids::kUnwrittenOutput;
  made.where = {"k.cu", line, 1};
  made.kernel = "k";
  made.output = "c";
  made.reach = Reach::several_each;
  made.help = "as before";
  return made;
}

}  // namespace

TEST_CASE("the loop is shown whose step leaves out what is missing, with what a round covers") {
  MergedFinding made = missing_in(5);
  CHECK(explain_step(made, kRows, run_of({rows_left_out(50), rows_left_out(90)})));
  CHECK(made.where.line == 3);
  REQUIRE(made.other);
  CHECK(made.other->place.line == 2);
  CHECK(made.other->label == "`step` is set here");
  CHECK_THAT(made.help, contains_text("covers rows 0 to 7, and `row` goes on by 32"));
  CHECK_THAT(made.help, contains_text("`gridDim.y * blockDim.y`, and not `gridDim.y * blockDim.x`"));
}

TEST_CASE("a step that is right, or of which nothing is known, is not to blame") {
  const auto told = [](const std::string& source, std::vector<CaseRun> cases) {
    MergedFinding made = missing_in(5);
    const bool explained = explain_step(made, source, run_of(std::move(cases)));
    return explained || made.help != "as before";
  };
  CHECK_FALSE(told(replaced(kRows, "blockDim.x;", "blockDim.y;"), {rows_left_out(50)}));
  CHECK_FALSE(told(replaced(kRows, "gridDim.y * blockDim.x;", "n;"), {rows_left_out(50)}));
  CHECK_FALSE(told(kRows, {rows_left_out(50), rows_left_out(90, 8, 40)}));  // not in that case
  CHECK_FALSE(told(kRows, {rows_left_out(30, 5)}));  // the loop ends too early, perhaps: 5 is nothing of the launch
  CaseRun again = rows_left_out(50);
  again.observed.launches.push_back(again.observed.launches.back());
  CHECK_FALSE(told(kRows, {again}));
}

TEST_CASE("of threads that never come again the round must be all that is launched, or all that came there") {
  MergedFinding made = missing_in(5);
  CHECK(explain_step(made, kRows, run_of({rows_left_out(30)})));
  // The last tile, from element 48 on, is for 16 threads, and the step is that of the block.
  const std::string tail =
      "__global__ void k(float* c, int n) {\n  if (full) return;\n"
      "  for (int i = first(); i < n; i += blockDim.x)\n    c[i] = 1;\n}\n";
  const auto last_tile = [](std::uint64_t threads) {
    datasets::Array output = float_matrix("c", 100, 1);
    for (std::int64_t i = 64; i < 100; ++i) poison(output, i);
    CaseRun tail_case = case_run_with("tail", expected_matrix(100, 1), std::move(output));
    tail_case.observed.launches.emplace_back().kernel = "k";
    tail_case.observed.launches.back().config = {{1, 1, 1}, {64, 1, 1}};
    tail_case.observed.on_device = {"c"};
    tail_case.observed.extents = {{"c", "k", {"k.cu", 4, 5}, 1, threads, 16, 48 * 4, 64 * 4}};
    return tail_case;
  };
  MergedFinding in_tail = missing_in(4);
  CHECK(explain_step(in_tail, tail, run_of({last_tile(16)})));
  CHECK_THAT(in_tail.help, contains_text("covers elements 48 to 63, and `i` goes on by 64"));
  CHECK(in_tail.other->place.line == 4);
  in_tail = missing_in(4);
  CHECK_FALSE(explain_step(in_tail, tail, run_of({last_tile(8)})));
}

TEST_CASE("of an array of one dimension elements are told, and no columns") {
  const std::string source =
      "__global__ void k(float* c, int n) {\n  for (int i = first(); i < n; i += 2 * blockDim.x)\n    c[i] = 1;\n}\n";
  datasets::Array output = float_matrix("c", 96, 1);
  for (std::int64_t i = 0; i < 96; ++i)
    if (i % 32 >= 16) poison(output, i);
  output.shape = {96};
  datasets::ExpectedArray expected = expected_matrix(96, 1);
  expected.shape = {96};
  CaseRun flat = case_run_with("flat", std::move(expected), std::move(output));
  flat.observed.launches.emplace_back().kernel = "k";
  flat.observed.launches.back().config = {{1, 1, 1}, {16, 1, 1}};
  MergedFinding made = missing_in(3);
  CHECK(explain_step(made, source, run_of({flat})));
  CHECK_THAT(made.help, contains_text("covers elements 0 to 15, and `i` goes on by 32"));
}

}  // namespace cudalabs::test
