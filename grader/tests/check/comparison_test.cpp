// Comparing outputs with references.
#include "check/comparison.h"

#include <limits>

#include "catch.h"
#include "make.h"

using namespace cudalabs;
using namespace cudalabs::test;
using datasets::ElementType;

TEST_CASE("an output equal to its reference is right") {
  const Comparison comparison = compared(3, 5, reference_value);
  CHECK(comparison.right());
  CHECK(comparison.elements() == 15);
  CHECK(comparison.count(Fault::none) == 15);
  CHECK_FALSE(comparison.first(Fault::wrong));
  CHECK_FALSE(comparison.worst());
}

TEST_CASE("wrong elements are counted, and the first and the worst are found") {
  const Comparison comparison = compared(3, 5, [](auto row, auto column) {
    const double error = row == 1 && column == 2 ? 0.5 : row == 2 && column == 0 ? -8 : 0;
    return reference_value(row, column) + error;
  });
  CHECK_FALSE(comparison.right());
  CHECK(comparison.count(Fault::wrong) == 2);
  REQUIRE(comparison.first(Fault::wrong));
  CHECK(comparison.first(Fault::wrong)->index == 7);
  REQUIRE(comparison.worst());
  CHECK(comparison.worst()->index == 10);
  CHECK(comparison.place(10) == "c[2][0]");
}

TEST_CASE("the worst element is the one most bounds away, not the one with the largest error") {
  datasets::ExpectedArray expected = expected_matrix(1, 3);
  expected.bound = {1.0, 0.001, 1.0};
  const auto got =
      float_matrix("c", 1, 3, [&](auto, auto column) { return expected.value[column] + (column == 1 ? 0.5 : 5); });
  CHECK(compare(got, expected).worst()->index == 1);
}

TEST_CASE("among exact elements the largest error is the worst") {
  const datasets::ExpectedArray expected = expected_matrix(1, 3, reference_value, 0.0);
  const auto got = float_matrix(
      "c", 1, 3, [&](auto, auto column) { return expected.value[column] + 1.0 + static_cast<double>(column % 2); });
  CHECK(compare(got, expected).worst()->index == 1);
}

TEST_CASE("an element that still holds the poison was not written") {
  datasets::Array output = float_matrix("c", 2, 2);
  poison(output, 3);
  const Comparison comparison = compare(output, expected_matrix(2, 2));
  CHECK(comparison.count(Fault::unwritten) == 1);
  CHECK(comparison.count(Fault::nonfinite) == 0);
  CHECK(comparison.first(Fault::unwritten)->index == 3);
}

TEST_CASE("a NaN or an infinity that was computed is not the poison") {
  const double values[] = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity(), reference_value(1, 1)};
  const Comparison comparison = compared(2, 2, [&](auto row, auto column) { return values[2 * row + column]; });
  CHECK(comparison.count(Fault::nonfinite) == 3);
  CHECK(comparison.count(Fault::unwritten) == 0);
  CHECK(comparison.count(Fault::none) == 1);
}

TEST_CASE("the poison is unwritten even where the reference is NaN") {
  datasets::ExpectedArray expected = expected_matrix(1, 2);
  expected.value = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
  datasets::Array output =
      float_matrix("c", 1, 2, [&](auto, auto) { return std::numeric_limits<double>::quiet_NaN(); });
  poison(output, 1);
  const Comparison comparison = compare(output, expected);
  CHECK(comparison.fault[0] == Fault::none);
  CHECK(comparison.fault[1] == Fault::unwritten);
}

TEST_CASE("integers hold the poison as -1, which counts only where it is wrong") {
  datasets::ExpectedArray expected;
  expected.name = "sums";
  expected.type = ElementType::i32;
  expected.shape = {3};
  expected.value = {-1, 4, 5};
  expected.bound = {0, 0, 0};
  const auto output = array_of<std::int32_t>("sums", ElementType::i32, {3}, {-1, -1, 6});
  const Comparison comparison = compare(output, expected);
  CHECK(comparison.fault == std::vector{Fault::none, Fault::unwritten, Fault::wrong});
}

TEST_CASE("where it is known who wrote, the pattern is a value like any other") {
  datasets::ExpectedArray expected = expected_matrix(1, 5);
  datasets::Array output = float_matrix("c", 1, 5);
  for (const std::int64_t index : {0, 2, 4}) poison(output, index);
  const vgpu::OutputGaps gaps{"c", {{0, 4}, {18, 20}}};  // of the last element half was written
  const Comparison comparison = compare(output, expected, &gaps);
  CHECK(comparison.fault ==
        std::vector{Fault::unwritten, Fault::none, Fault::nonfinite, Fault::none, Fault::nonfinite});
  CHECK(comparison.knows_writes);

  expected.type = ElementType::i32;
  expected.bound.assign(5, 0);
  expected.value = {7, -1, 7, -1, 7};
  const auto minus_one = array_of<std::int32_t>("c", ElementType::i32, {1, 5}, {-1, -1, -1, -1, -1});
  const vgpu::OutputGaps of_integers{"c", {{0, 8}}};
  CHECK(compare(minus_one, expected, &of_integers).fault ==
        std::vector{Fault::unwritten, Fault::none, Fault::wrong, Fault::none, Fault::wrong});

  expected.type = ElementType::u8;
  expected.value = {7, 255, 7, 255, 7};
  const auto bytes = array_of<std::uint8_t>("c", ElementType::u8, {1, 5}, {255, 255, 255, 255, 255});
  const vgpu::OutputGaps of_bytes{"c", {{0, 2}}};
  CHECK(compare(bytes, expected, &of_bytes).fault ==
        std::vector{Fault::unwritten, Fault::none, Fault::wrong, Fault::none, Fault::wrong});
}

TEST_CASE("a byte of 255 is a wrong value, not an unwritten one") {
  datasets::ExpectedArray expected;
  expected.name = "picture";
  expected.type = ElementType::u8;
  expected.shape = {2};
  expected.value = {254, 255};
  expected.bound = {0, 0};
  const Comparison comparison = compare(array_of<std::uint8_t>("picture", ElementType::u8, {2}, {255, 255}), expected);
  CHECK(comparison.fault == std::vector{Fault::wrong, Fault::none});
}

TEST_CASE("doubles are compared as doubles") {
  datasets::ExpectedArray expected;
  expected.name = "x";
  expected.type = ElementType::f64;
  expected.shape = {2};
  expected.value = {1.0 + 1e-12, 2};
  expected.bound = {1e-13, 1e-13};
  const Comparison comparison = compare(array_of<double>("x", ElementType::f64, {2}, {1.0, 2.0}), expected);
  CHECK(comparison.fault == std::vector{Fault::wrong, Fault::none});
}

TEST_CASE("an output of another shape, type or length is not compared") {
  const datasets::ExpectedArray expected = expected_matrix(2, 3);
  CHECK(compare(float_matrix("c", 3, 2), expected).misfit);
  CHECK(compare(array_of<double>("c", ElementType::f64, {2, 3}, std::vector<double>(6)), expected).misfit);
  datasets::Array cut = float_matrix("c", 2, 3);
  cut.data.pop_back();
  CHECK(compare(cut, expected).misfit);
  CHECK_FALSE(compare(cut, expected).right());
  CHECK_FALSE(missing_output(expected).right());
}

TEST_CASE("the grid of an output has its last axis as columns") {
  Comparison comparison;
  comparison.shape = {2, 3, 4};
  comparison.fault.resize(24);
  CHECK(comparison.grid() == GridShape{6, 4});
  CHECK(comparison.place(23) == "[1][2][3]");
}
