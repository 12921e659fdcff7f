// Grids that are divided by the block's other side.
#include "explain/elements/grid_sides.h"

#include <array>
#include <string>
#include <vector>

#include "catch.h"
#include "check/launch_reach.h"
#include "tests/check/make.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {
namespace {

const std::string kSource =
    "__global__ void k(float* c, int m, int p) {\n"
    "  c[row * p + col] = 0;\n"
    "}\n"
    "void f(float* c, int m, int p) {\n"
    "  dim3 block(32, 4);\n"
    "  dim3 grid((p + 3) / 4, (m + 31) / 32);\n"
    "  k<<<grid, block>>>(c, m, p);\n"
    "}\n";

using Block = std::array<std::uint32_t, 2>;

/// Columns divided by `by_x`, and rows by `by_y`.
CaseRun run_of(std::int64_t rows, std::int64_t columns, Block block, std::uint32_t by_x, std::uint32_t by_y) {
  datasets::Array output = float_matrix("c", rows, columns);
  const auto grid_x = (static_cast<std::uint32_t>(columns) + by_x - 1) / by_x,
             grid_y = (static_cast<std::uint32_t>(rows) + by_y - 1) / by_y;
  for (std::int64_t i = 0; i < rows * columns; ++i)
    if (i / columns >= grid_y * block[1] || i % columns >= grid_x * block[0]) poison(output, i);
  CaseRun made = case_run_with("c" + std::to_string(rows), expected_matrix(rows, columns), std::move(output));
  made.observed.launches.emplace_back().kernel = "k";
  made.observed.launches.back().config = {{grid_x, grid_y, 1}, {block[0], block[1], 1}};
  return made;
}

SubmissionRun run_with(std::uint32_t by_x, std::uint32_t by_y, Block block = {32, 4}) {
  SubmissionRun submission_run;
  for (const auto& [rows, columns] : {std::pair{7, 3}, {100, 70}, {64, 130}, {33, 97}, {40, 200}})
    submission_run.case_runs.push_back(run_of(rows, columns, block, by_x, by_y));
  return submission_run;
}

MergedFinding explained(const SubmissionRun& submission_run, const std::string& source = kSource,
                        bool question = true) {
  MergedFinding made{finding(std::string(finding_ids::kUnwrittenOutput), 2), {}};
  for (const CaseRun& each : submission_run.case_runs)
    if (each.is_wrong()) made.cases.push_back(each.test.spec.name);
  made.shown = "c7";
  made.where.file = "k.cu";
  made.kernel = "k";
  made.output = "c";
  made.help = question ? Help(Advice::which_axis) : Help("as before");
  if (!question) made.reach = Reach::too_few;
  const bool shown = explain_grid_sides(made, source, submission_run);
  CHECK(shown == made.proven);
  return made;
}

}  // namespace

TEST_CASE("a grid that is divided by the block's other sides is shown where it is made") {
  const MergedFinding found = explained(run_with(4, 32));
  CHECK(found.where.line == 6);
  REQUIRE(found.other);
  CHECK(found.other->place.line == 7);
  CHECK_THAT(found.help, contains_text("along x as many blocks as the columns divided by the block's y, 4, and along y "
                                       "as many blocks as the rows divided by the block's x, 32"));
  CHECK(explained(run_with(4, 32), kSource, false).where.line == 6);
}

TEST_CASE("one axis alone may be divided by the other side") {
  CHECK_THAT(explained(run_with(32, 32)).help, !contains_text("along x as many"));
  CHECK_THAT(explained(run_with(32, 32)).help, contains_text("along y as many blocks as the rows"));
}

TEST_CASE("a grid that is made in the launch is shown there") {
  const std::string source =
      "__global__ void k(float* c) {\n  c[0] = 0;\n}\nvoid f(float* c, int m, int p) {\n"
      "  k<<<dim3((p + 3) / 4, (m + 31) / 32), dim3(32, 4)>>>(c);\n}\n";
  const MergedFinding found = explained(run_with(4, 32), source);
  CHECK(found.where.line == 5);
  REQUIRE(found.other);
  CHECK(found.other->place.line == 2);
}

TEST_CASE(
    "a grid that is divided by something else is not blamed, and exchanged axes that explain less are not asked for") {
  const MergedFinding other = explained(run_with(64, 32));
  CHECK_FALSE(other.proven);
  CHECK(other.where.line == 2);
  CHECK_THAT(other.help, contains_text("fewer threads than elements along y"));
  CHECK_FALSE(explained(run_with(16, 16, {16, 16})).proven);
  CHECK_FALSE(explained(run_with(32, 4)).proven);
  CHECK(explained(run_with(64, 32), kSource, false).help == "as before");
}

TEST_CASE("exchanged axes that explain all cases stay a question") {
  SubmissionRun submission_run;
  for (const auto& [rows, columns] : {std::pair{7, 300}, {100, 700}, {64, 130}, {33, 97}}) {
    CaseRun made = run_of(rows, columns, {32, 4}, 32, 4);
    auto& grid = made.observed.launches.back().config.grid;
    grid = {static_cast<std::uint32_t>(rows + 31) / 32, static_cast<std::uint32_t>(columns + 3) / 4, 1};
    submission_run.case_runs.push_back(std::move(made));
  }
  for (CaseRun& each : submission_run.case_runs) each.test.spec.name = "c7";
  MergedFinding made{finding(std::string(finding_ids::kUnwrittenOutput), 2), {"c7"}};
  made.kernel = "k";
  made.output = "c";
  made.shown = "c7";
  made.help = Advice::which_axis;
  CHECK_FALSE(explain_grid_sides(made, kSource, submission_run));
  CHECK(made.help.advises(Advice::which_axis));
}

}  // namespace cudalabs::test
