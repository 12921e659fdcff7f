// Rows and columns in each other's places.
#include "check/misplaced_rows.h"

#include "catch.h"
#include "check/mismatch.h"
#include "make.h"

using namespace cudalabs;
using namespace cudalabs::test;

namespace {

/// In tiles of 8 rows, a thread's sums belong to every fourth row, and are made of rows next to each other.
std::int64_t exchanged(std::int64_t row) {
  return row / 8 * 8 + 2 * (row % 4) + row % 8 / 4;
}

}  // namespace

TEST_CASE("rows that hold other rows' values are told with the first one") {
  const auto pattern =
      misplaced_rows(compared(16, 6, [](auto row, auto column) { return reference_value(exchanged(row), column); }));
  REQUIRE(pattern);
  CHECK(pattern->what == "each wrong row holds another row's values: row 1 those of row 2");
  CHECK(pattern->help.starts_with("the rows are right"));
  // Of a tile that sticks out, some rows are made of what is not there.
  const auto partial = misplaced_rows(compared(
      7, 6, [](auto row, auto column) { return exchanged(row) < 7 ? reference_value(exchanged(row), column) : 0.0; }));
  REQUIRE(partial);
  CHECK(partial->what == "each wrong row holds another row's values: row 1 those of row 2");
  const auto zeros = misplaced_rows(compared(
      6, 6, [](auto row, auto column) { return exchanged(row) < 6 ? reference_value(exchanged(row), column) : 0.0; }));
  REQUIRE(zeros);
  CHECK(zeros->what == "each wrong row holds another row's values, or 0: row 1 those of row 2");
}

TEST_CASE("columns likewise") {
  const auto pattern =
      misplaced_rows(compared(6, 16, [](auto row, auto column) { return reference_value(row, exchanged(column)); }));
  REQUIRE(pattern);
  CHECK(pattern->what == "each wrong column holds another column's values: column 1 those of column 2");
}

TEST_CASE("rows that are only nearly others', or too short, are none") {
  const auto spoiled = [](auto row, auto column) {
    return row == 5 && column == 3 ? 77.0 : reference_value(exchanged(row), column);
  };
  CHECK_FALSE(misplaced_rows(compared(16, 6, spoiled)));
  CHECK_FALSE(
      misplaced_rows(compared(16, 2, [](auto row, auto column) { return reference_value(exchanged(row), column); })));
  CHECK_FALSE(misplaced_rows(
      compared(16, 6, [](auto row, auto column) { return row == 0 ? reference_value(0, column) : 0.0; })));
  CHECK_FALSE(misplaced_rows(compared(16, 6, reference_value)));
  CHECK_FALSE(misplaced_rows(compared(1, 6, [](auto, auto) { return 3.0; })));
}
