// Elements without a thread, and what the launch says of them.
#include "check/launch_reach.h"

#include "catch.h"
#include "make.h"

namespace cudalabs::test {
namespace {

/// What is said after a launch of an output of `rows` by `columns` of which nobody wrote the last `missing`.
Help help_after(vgpu::LaunchConfig config, std::int64_t rows, std::int64_t columns, std::int64_t missing) {
  datasets::Array output = float_matrix("c", rows, columns);
  for (std::int64_t i = rows * columns - missing; i < rows * columns; ++i) poison(output, i);
  const Comparison comparison = compare(output, expected_matrix(rows, columns));
  Observation observed;
  observed.on_device = {"c"};
  observed.launches.emplace_back().kernel = "k";
  observed.launches.back().config = config;
  Mismatch mismatch;
  mismatch.output = "c";
  mismatch.fault = Fault::unwritten;
  mismatch.elements = rows * columns;
  mismatch.finding.kernel = "k";
  mismatch.finding.count = static_cast<std::uint64_t>(missing);
  name_threads(mismatch, comparison, observed);
  return mismatch.finding.help;
}

}  // namespace

TEST_CASE("where blocks have an axis for rows and one for columns, each must have enough threads") {
  CHECK_THAT(help_after({{2, 2, 1}, {16, 16, 1}}, 33, 32, 32), contains_text("there are fewer threads than elements"));
  CHECK_THAT(help_after({{2, 1, 1}, {16, 16, 1}}, 33, 32, 544), contains_text("there are fewer threads than elements"));
  CHECK_THAT(help_after({{2, 3, 1}, {16, 16, 1}}, 33, 32, 1), contains_text("there are threads enough"));
}

TEST_CASE("the only axis with too few threads is named") {
  CHECK_THAT(help_after({{2, 2, 1}, {16, 16, 1}}, 33, 32, 32), contains_text("than elements along y: launch"));
  CHECK_THAT(help_after({{2, 3, 1}, {16, 16, 1}}, 33, 40, 264), contains_text("than elements along x: launch"));
  CHECK_THAT(help_after({{2, 2, 1}, {16, 16, 1}}, 33, 40, 296), contains_text("than elements: launch"));
  CHECK(short_axis_in(help_after({{2, 2, 1}, {16, 16, 1}}, 33, 32, 32)) == 'y');
  CHECK(short_axis_in(help_after({{2, 3, 1}, {16, 16, 1}}, 33, 40, 264)) == 'x');
  CHECK(short_axis_in(help_after({{2, 2, 1}, {16, 16, 1}}, 33, 40, 296)) == '\0');
  CHECK(short_axis_in("there are fewer threads than elements along y: launch") == '\0');
  CHECK(help_after({{2, 3, 1}, {16, 16, 1}}, 33, 32, 1).advises(Advice::look_at_index));
}

TEST_CASE("of tiles that are numbered along one axis all threads count") {
  CHECK_THAT(help_after({{6, 1, 1}, {16, 16, 1}}, 33, 32, 1), contains_text("there are threads enough"));
  CHECK_THAT(help_after({{3, 1, 1}, {16, 16, 1}}, 33, 32, 288), contains_text("there are fewer threads than elements"));
}

}  // namespace cudalabs::test
