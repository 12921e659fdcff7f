// Explaining wrong values: each detector with outputs it must name and outputs it must refuse.
#include "check/value_pattern.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "catch.h"
#include "make.h"

using namespace cudalabs;
using namespace cudalabs::test;

namespace {

/// Rounds to the 11 significant bits of a half-precision number.
double half(double value) {
  if (value == 0) return 0;
  const double unit = std::ldexp(1.0, std::ilogb(value) - 10);
  return std::nearbyint(value / unit) * unit;
}

ValueAt zero_in_row(std::int64_t zeroed) {
  return [zeroed](auto row, auto column) { return row == zeroed ? 0.0 : reference_value(row, column); };
}

}  // namespace

TEST_CASE("zeros are recognised, and one other value spoils them") {
  CHECK(all_zero(compared(6, 5, zero_in_row(2))));
  CHECK_FALSE(all_zero(compared(6, 5, [](auto row, auto column) {
    return row == 2 ? (column == 3 ? 0.5 : 0.0) : reference_value(row, column);
  })));
  CHECK_FALSE(all_zero(compared(6, 5, reference_value)));
}

TEST_CASE("two zeros are chance") {
  CHECK_FALSE(all_zero(compared(
      6, 5, [](auto row, auto column) { return row == 2 && column < 2 ? 0.0 : reference_value(row, column); })));
}

TEST_CASE("a transposed square is recognised") {
  CHECK(transposed(compared(6, 6, [](auto row, auto column) { return reference_value(column, row); })));
  CHECK_FALSE(transposed(compared(
      6, 6, [](auto row, auto column) { return row == 5 && column == 1 ? 77.0 : reference_value(column, row); })));
}

TEST_CASE("a rectangle stored column by column is recognised") {
  // Flat place i of the 4×7 output holds the element that a 7×4 matrix has there, transposed.
  CHECK(transposed(compared(4, 7, [](auto row, auto column) {
    const auto flat = row * 7 + column;
    return reference_value(flat % 4, flat / 4);
  })));
}

TEST_CASE("a single row cannot be transposed") {
  CHECK_FALSE(transposed(compared(1, 8, [](auto, auto column) { return reference_value(0, column) + 1; })));
}

TEST_CASE("a shift by one is recognised in all four directions") {
  const auto shifted = [](std::int64_t rows, std::int64_t columns) {
    return shifted_by_one(
        compared(6, 6, [=](auto row, auto column) { return reference_value(row + rows, column + columns); }));
  };
  REQUIRE(shifted(0, 1));
  CHECK_THAT(shifted(0, 1)->what, contains_text("right neighbour"));
  REQUIRE(shifted(0, -1));
  CHECK_THAT(shifted(0, -1)->what, contains_text("left neighbour"));
  REQUIRE(shifted(1, 0));
  CHECK_THAT(shifted(1, 0)->what, contains_text("next row"));
  REQUIRE(shifted(-1, 0));
  CHECK_THAT(shifted(-1, 0)->what, contains_text("previous row"));
}

TEST_CASE("a shift by two, or one with a flaw, is none by one") {
  CHECK_FALSE(shifted_by_one(compared(6, 6, [](auto row, auto column) { return reference_value(row, column + 2); })));
  CHECK_FALSE(shifted_by_one(compared(
      6, 6, [](auto row, auto column) { return row == 2 && column == 2 ? 50.0 : reference_value(row, column + 1); })));
}

TEST_CASE("a constant factor is recognised and named") {
  const auto scaled = [](double factor) {
    return constant_factor(
        compared(6, 5, [=](auto row, auto column) { return factor * reference_value(row, column); }));
  };
  REQUIRE(scaled(2));
  CHECK_THAT(scaled(2)->what, contains_text("2 times"));
  REQUIRE(scaled(0.25));
  CHECK_THAT(scaled(0.25)->what, contains_text("1/4 of"));
  REQUIRE(scaled(-1));
  CHECK_THAT(scaled(-1)->what, contains_text("-1 times"));
  REQUIRE(scaled(1.7));
  CHECK_THAT(scaled(1.7)->what, contains_text("1.7 times"));
}

TEST_CASE("a factor as near to 1 as half precision is is a loss of digits") {
  const Comparison halved = compared(6, 5, [](auto row, auto column) { return 0.999 * reference_value(row, column); });
  CHECK_FALSE(constant_factor(halved));
  REQUIRE(explain_values(halved));
  CHECK(explain_values(halved)->kind == ValueKind::low_precision);
}

TEST_CASE("two factors, or a constant difference, are no constant factor") {
  CHECK_FALSE(constant_factor(
      compared(6, 5, [](auto row, auto column) { return (row < 3 ? 2.0 : 3.0) * reference_value(row, column); })));
  CHECK_FALSE(constant_factor(compared(6, 5, [](auto row, auto column) { return reference_value(row, column) + 4; })));
  CHECK_FALSE(constant_factor(compared(6, 5, zero_in_row(1))));
}

TEST_CASE("something added to every sum is recognised, and is not taken for low precision") {
  const auto pattern =
      explain_values(compared(8, 8, [](auto row, auto column) { return reference_value(row, column) + 0.25; }));
  REQUIRE(pattern);
  CHECK(pattern->kind == ValueKind::constant_offset);
  CHECK_THAT(pattern->what, contains_text("every wrong element is 0.25 too large"));
  const auto less =
      constant_offset(compared(8, 8, [](auto row, auto column) { return reference_value(row, column) - 3; }));
  REQUIRE(less);
  CHECK_THAT(less->what, contains_text("3 too small"));
  CHECK_FALSE(constant_offset(compared(
      8, 8, [](auto row, auto column) { return reference_value(row, column) + static_cast<double>(row) + 1; })));
}

TEST_CASE("whole numbers are recognised where fractions are wanted, and the values are not far off") {
  const auto cut = compared(8, 8, [](auto row, auto column) { return std::trunc(reference_value(row, column)); });
  const auto pattern = whole_numbers(cut);
  REQUIRE(pattern);
  CHECK(pattern->kind == ValueKind::whole_numbers);
  CHECK_THAT(pattern->help, contains_text("`int`"));
  CHECK_FALSE(whole_numbers(compared(8, 8, [](auto row, auto column) { return reference_value(row, column) + 0.5; })));
  CHECK_FALSE(whole_numbers(compared(8, 8, [](auto row, auto) { return 500.0 + static_cast<double>(row); })));
  const auto whole = [](auto row, auto column) { return static_cast<double>(3 * row + column); };
  CHECK_FALSE(
      whole_numbers(compare(float_matrix("c", 8, 8, [&](auto row, auto column) { return whole(row, column) + 2; }),
                            expected_matrix(8, 8, whole))));
}

TEST_CASE("a sum that is whole, alone and by no chance, is recognised") {
  const auto one = [](double got, double expected) {
    datasets::ExpectedArray reference{"sum", datasets::ElementType::f32, {1}, {expected}, {0.1}};
    const auto output = array_of("sum", datasets::ElementType::f32, {1}, std::vector{static_cast<float>(got)});
    return whole_numbers(compare(output, reference));
  };
  REQUIRE(one(1987, 2054.9046));
  CHECK(one(1987, 2054.9046)->what == "it is a whole number, and should be none");
  CHECK_FALSE(one(1987.5, 2054.9046));
  CHECK_FALSE(one(1987, 2054));
  CHECK_FALSE(one(0, 0.75));
  CHECK_FALSE(one(1 << 20, 1'048'570.25));
  CHECK_FALSE(one(2055, 2054.9046));  // near enough to be right
}

TEST_CASE("half precision is recognised where everything is nearly right") {
  const auto coarse =
      compared(8, 8, [](auto row, auto column) { return half(1.0 / 3.0 + reference_value(row, column)) - 1.0 / 3.0; });
  REQUIRE(2 * coarse.count(Fault::wrong) >= coarse.elements());
  CHECK(low_precision(coarse));
}

TEST_CASE("one gross error, or errors in a few places only, are not low precision") {
  CHECK_FALSE(low_precision(compared(8, 8, [](auto row, auto column) {
    return half(1.0 / 3.0 + reference_value(row, column)) - (row == 0 && column == 0 ? 5 : 1.0 / 3.0);
  })));
  CHECK_FALSE(low_precision(
      compared(8, 8, [](auto row, auto column) { return reference_value(row, column) + (row == 0 ? 0.004 : 0.0); })));
}

TEST_CASE("errors without a system are not explained") {
  CHECK_FALSE(explain_values(compared(6, 5, [](auto row, auto column) {
    return reference_value(row, column) + static_cast<double>((row * 7 + column * 3) % 5) + 1;
  })));
}

TEST_CASE("a right output has no pattern") {
  CHECK_FALSE(explain_values(compared(6, 5, reference_value)));
}

TEST_CASE("sums that are all rounded to one side are told by the side") {
  const auto beside = [](float towards, bool negative_too = true) {
    datasets::ExpectedArray expected{"c", datasets::ElementType::f32, {40}, {}, std::vector<double>(40, 0)};
    std::vector<float> got;
    for (int i = 0; i < 40; ++i) {
      const float value = (static_cast<float>(i) + 0.7F) * (negative_too && i % 3 == 0 ? -1.0F : 1.0F);
      expected.value.push_back(value);
      got.push_back(i % 2 == 0 ? std::nextafter(value, towards) : value);
    }
    return compare(array_of("c", datasets::ElementType::f32, {40}, got), expected);
  };
  const auto what = [](const Comparison& comparison) {
    const auto pattern = explain_values(comparison);
    return pattern && pattern->kind == ValueKind::directed_rounding ? pattern->what : std::string();
  };
  constexpr float kFar = std::numeric_limits<float>::infinity();
  CHECK_THAT(what(beside(0)), contains_text("toward zero"));
  CHECK_THAT(what(beside(-kFar)), contains_text("next below it"));
  CHECK_THAT(what(beside(kFar)), contains_text("next above it"));
  CHECK_THAT(what(beside(-kFar, false)), contains_text("on the side of zero"));  // which of two it is, nobody can tell
}

TEST_CASE("errors of either side, of more than a step, and few of them, have no side") {
  const auto compared_to = [](const auto& value_of, std::int64_t size) {
    datasets::ExpectedArray expected{"c", datasets::ElementType::f32, {size}, {}, {}};
    std::vector<float> got;
    for (std::int64_t i = 0; i < size; ++i) {
      const float value = static_cast<float>(i) + 0.7F;
      expected.value.push_back(value);
      expected.bound.push_back(0);
      got.push_back(value_of(i, value));
    }
    return compare(array_of("c", datasets::ElementType::f32, {size}, got), expected);
  };
  const auto smaller = [](std::int64_t, float value) { return std::nextafter(value, 0.0F); };
  CHECK(directed_rounding(compared_to(smaller, 40)));
  CHECK_FALSE(directed_rounding(compared_to(smaller, 8)));
  CHECK_FALSE(directed_rounding(
      compared_to([](std::int64_t i, float value) { return std::nextafter(value, i % 2 == 0 ? 0.0F : 1000.0F); }, 40)));
  CHECK_FALSE(
      directed_rounding(compared_to([&](std::int64_t i, float value) { return smaller(i, smaller(i, value)); }, 40)));
}
