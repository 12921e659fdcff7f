// Values that still contain another element's: those that are named, and those that are not.
#include "check/carried_value.h"

#include <vector>

#include "catch.h"
#include "check/cause_line.h"
#include "check/mismatch.h"
#include "check/sum_line.h"
#include "make.h"
#include "vgpu/check/finding_ids.h"

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

TEST_CASE("a sum leads to the line where it begins, in its own function") {
  const std::string kernel =
      "__global__ void k(const float* a, float* c) {\n"
      "  float sum = 0;\n"
      "  for (int i = threadIdx.x; i < 9; i += 4) {\n"
      "    for (int j = 0; j < 3; ++j) sum += a[j];\n"
      "    c[i] = sum;\n"
      "  }\n"
      "}\n";
  CHECK(beginning_of_sum(kernel, 5, 10)->line == 2);
  CHECK_FALSE(beginning_of_sum("void f() {\n  sum = 0;\n}\nvoid k() {\n  sum += 1;\n  c[i] = sum;\n}\n", 6, 8));
  MergedFinding finding;
  finding.id = finding_ids::kResultMismatch;
  finding.where = {"k.cu", 5, 10};
  finding.values = ValueKind::carried_over;
  std::vector<MergedFinding> findings{finding};
  show_cause_lines(findings, kernel, "k.cu", {});
  CHECK(findings[0].where.line == 2);
  REQUIRE(findings[0].other);
  CHECK(findings[0].other->place.line == 5);
}

TEST_CASE("a sum that is an integer is shown where it is declared") {
  const auto line_of = [](const std::string& declaration, const std::string& statement) {
    const auto found = integer_sum_of("int sum;\n}\nvoid k() {\n" + declaration + "\n" + statement + "\n}\n", 5);
    return found ? std::pair(found->where.line, found->by_literal) : std::pair(0u, false);
  };
  CHECK(line_of("auto sum = 0;", "sum += a[i] * b[i];") == std::pair(4u, true));
  CHECK(line_of("auto sum{0u};", "if (k == n) sum = sum + x;") == std::pair(4u, true));
  CHECK(line_of("int sum = 0;", "for (int k = 0; k < n; ++k) sum += x;") == std::pair(4u, false));
  CHECK(line_of("unsigned count = 0, sum = 0;", "sum -= x;") == std::pair(4u, false));
  CHECK(line_of("long long sum = 0;", "sum += x;") == std::pair(4u, false));
  // No integer, no variable, or another function's.
  CHECK(line_of("auto sum = 0.0f;", "sum += x;").first == 0);
  CHECK(line_of("auto sum = 0 * x;", "sum += x;").first == 0);
  CHECK(line_of("float sum = 0;", "sum += (int)x;").first == 0);
  CHECK(line_of("f(int n, sum);", "sum += x;").first == 0);
  CHECK(line_of("int sum = 0;", "p.sum += x;").first == 0);
  CHECK(line_of("int sum = 0;", "c[i] = sum;").first == 0);
  CHECK(line_of("", "sum += x;").first == 0);
  MergedFinding finding;
  finding.id = finding_ids::kResultMismatch;
  finding.where = {"k.cu", 3, 7};
  finding.values = ValueKind::whole_numbers;
  finding.origin = vgpu::OriginKind::integer;
  std::vector<MergedFinding> findings{finding, finding};
  findings[1].values = ValueKind::constant_factor;
  show_cause_lines(findings, "void k() {\n  auto sum = 0;\n  sum += x;\n}\n", "k.cu", {});
  CHECK(findings[0].where == SourcePlace{"k.cu", 2, 8});
  CHECK(findings[0].other->place.line == 3);
  CHECK(findings[0].help.starts_with("`auto` gives `sum` the type"));
  CHECK(findings[1].where.line == 3);
}

}  // namespace cudalabs::test
