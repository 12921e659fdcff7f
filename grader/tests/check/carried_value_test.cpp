// Values that still contain another element's: those that are named, and those that are not.
#include "check/carried_value.h"

#include <vector>

#include "catch.h"
#include "check/mismatch.h"
#include "make.h"

namespace cudalabs::test {
namespace {

/// What comes out where the thread of an element goes on with the sum of the element so far before it.
Comparison carried(std::int64_t rows, std::int64_t columns, std::int64_t distance) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < rows * columns; ++i) {
    const double before = i < distance ? 0 : values[static_cast<std::size_t>(i - distance)];
    values.push_back(before + reference_value(i / columns, i % columns));
  }
  return compared(rows, columns,
                  [&](auto row, auto column) { return values[static_cast<std::size_t>(row * columns + column)]; });
}

BlockShape line_of_threads(std::int64_t block, std::int64_t threads) {
  return {1, block, {1, threads}};
}

}  // namespace

TEST_CASE("a sum that goes on from a thread's last element is found by the number of threads") {
  const Comparison comparison = carried(9, 7, 24);
  const auto pattern = carried_over(comparison, line_of_threads(8, 24));
  REQUIRE(pattern);
  CHECK(pattern->kind == ValueKind::carried_over);
  CHECK(pattern->what == "each wrong element also contains the one 24 before it");
  CHECK_FALSE(carried_over(comparison, line_of_threads(8, 32)));
  CHECK_FALSE(carried_over(comparison, std::nullopt));
}

TEST_CASE("a sum that goes on along a row or down a column needs no launch") {
  // The first row begins with its own value.
  CHECK(carried_over(carried(1, 9, 1), std::nullopt)->what == "each wrong element also contains the one before it");
  CHECK(carried_over(carried(9, 7, 7), std::nullopt)->what == "each wrong element also contains the one above it");
}

TEST_CASE("an element that does not contain the other one, and two that do, say nothing") {
  const auto flawed = compared(1, 9, [](auto, auto column) {
    double sum = 0;
    for (std::int64_t i = 0; i <= column; ++i) sum += reference_value(0, i);
    return column == 6 ? sum + 1 : sum;
  });
  CHECK_FALSE(carried_over(flawed, std::nullopt));
  CHECK_FALSE(carried_over(carried(1, 3, 1), std::nullopt));
  CHECK_FALSE(carried_over(compared(4, 4, reference_value), std::nullopt));
  CHECK_FALSE(carried_over(compared(4, 4, [](auto row, auto column) { return 2 * reference_value(row, column); }),
                           std::nullopt));
}

TEST_CASE("a sum that a block carries from tile to tile is found by the number of blocks") {
  // Tiles of 2 × 2, three along a row of the output, of which the last sticks out; four blocks.
  constexpr std::int64_t kRows = 8, kColumns = 5;
  const auto sums = [](bool right_blocks) {
    const auto sum_at = [](std::int64_t tile, std::int64_t y, std::int64_t x) {
      double sum = 0;
      for (; tile >= 0; tile -= 4) {
        const std::int64_t row = tile / 3 * 2 + y, column = tile % 3 * 2 + x;
        if (column < kColumns) sum += reference_value(row, column);
      }
      return sum;
    };
    return compared(kRows, kColumns, [=](auto row, auto column) {
      const double sum = sum_at(row / 2 * 3 + column / 2, row % 2, column % 2);
      return right_blocks || row != 5 ? sum : sum + 1;
    });
  };
  const auto pattern = carried_over(sums(true), line_of_threads(4, 16));
  REQUIRE(pattern);
  CHECK(pattern->kind == ValueKind::carried_over);
  CHECK_THAT(pattern->what, contains_text("for the tile before, 4 tiles away"));
  CHECK(carried_over(sums(true), BlockShape{2, 2, {2, 8}}));
  CHECK_FALSE(carried_over(sums(true), line_of_threads(4, 20)));
  CHECK_FALSE(carried_over(sums(true), line_of_threads(6, 24)));
  CHECK_FALSE(carried_over(sums(false), line_of_threads(4, 16)));
}

TEST_CASE("what is wrong past the threads of a launch is told with their number") {
  const auto found = mismatches_of(carried(9, 7, 24), {}, line_of_threads(9, 24));
  REQUIRE(found.size() == 1);
  CHECK(found[0].finding.message ==
        "`c` is wrong from element 24 on: the launch has 24 threads; each wrong element also contains the one 24 "
        "before it");
  CHECK(found[0].region == RegionKind::past_threads);
}

}  // namespace cudalabs::test
