// Shapes, sizes and typed views of arrays.
#include "datasets/array.h"

#include <array>
#include <limits>
#include <vector>

#include "catch.h"

using namespace cudalabs::datasets;

TEST_CASE("an array's elements are the product of its shape") {
  CHECK(elements_of({}) == 1);
  CHECK(elements_of(std::array<std::int64_t, 3>{2, 3, 4}) == 24);
  CHECK(elements_of(std::array<std::int64_t, 2>{0, 1000}) == 0);
}

TEST_CASE("an impossible shape is refused") {
  CHECK_THROWS_AS(elements_of(std::array<std::int64_t, 2>{-1, 3}), std::invalid_argument);
  CHECK_THROWS_AS(elements_of(std::array<std::int64_t, 2>{std::numeric_limits<std::int64_t>::max(), 2}),
                  std::invalid_argument);
}

TEST_CASE("values go into an array and come out again") {
  const std::vector<float> values = {1.5f, -2, 3, 4, 5, 6};
  const Array array = make_array<float>("x", {2, 3}, values);
  CHECK(array.name == "x");
  CHECK(array.type == ElementType::f32);
  CHECK(array.elements() == 6);
  CHECK(array.data.size() == 24);
  CHECK(values_of<float>(array) == values);
  CHECK(values_of<std::uint8_t>(make_array<std::uint8_t>("e", {0}, {})).empty());
}

TEST_CASE("values that do not fit the shape or the type are refused") {
  const std::vector<float> values = {1, 2, 3};
  CHECK_THROWS_AS(make_array<float>("x", {2, 2}, values), std::invalid_argument);
  Array array = make_array<float>("x", {3}, values);
  CHECK_THROWS_AS(values_of<double>(array), std::invalid_argument);
  CHECK_THROWS_AS(values_of<std::int32_t>(array), std::invalid_argument);
  array.data.pop_back();
  CHECK_THROWS_AS(values_of<float>(array), std::invalid_argument);
}
