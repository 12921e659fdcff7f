// Arrays to sum: every honest sum passes, whatever its order; a short cut, an element too few and one twice do not.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "catch.h"
#include "datasets/array.h"
#include "datasets/dataset.h"
#include "tests/lab/message_of.h"

using namespace cudalabs::datasets;
using cudalabs::tests::contains;
using cudalabs::tests::message_of;

namespace {

struct Sums {
  Case test;
  std::vector<float> floats;
  std::vector<std::int32_t> integers;
};

Case make_sum(std::map<std::string, std::int64_t> parameters, std::uint64_t seed = 1) {
  return generator_for("array_sum")({"x", "x", std::move(parameters), {}}, seed);
}

Sums sums(std::int64_t n, bool whole) {
  Sums made{make_sum({{"n", n}, {"whole", whole}}), {}, {}};
  made.floats = values_of<float>(made.test.inputs.at(0));
  made.integers = values_of<std::int32_t>(made.test.inputs.at(1));
  return made;
}

/// By the comparison a grader makes.
bool accepts(const Sums& sums, float got) {
  const ExpectedArray& expected = sums.test.expected.at(0);
  return std::abs(static_cast<double>(got) - expected.value.at(0)) <= expected.bound.at(0);
}

float in_order(const std::vector<float>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0f);
}

float as_tree(std::vector<float> values) {
  while (values.size() > 1) {
    for (std::size_t i = 0; i < values.size() / 2; ++i) values[i] = values[2 * i] + values[2 * i + 1];
    if (values.size() % 2 != 0) values[values.size() / 2] = values.back();
    values.resize((values.size() + 1) / 2);
  }
  return values.empty() ? 0 : values[0];
}

float largest_first(std::vector<float> values) {
  std::ranges::sort(values, std::greater<>());
  return in_order(values);
}

/// With `bits` of significand kept of each element.
float coarse(std::vector<float> values, int bits, bool to_nearest) {
  const std::uint32_t drop = 1u << (23 - bits);
  for (float& value : values) {
    std::uint32_t pattern = std::bit_cast<std::uint32_t>(value);
    if (to_nearest) pattern += drop / 2;
    value = std::bit_cast<float>(pattern & ~(drop - 1));
  }
  return as_tree(values);
}

}  // namespace

TEST_CASE("sums of whole floats are exact in any order") {
  const std::int64_t n = GENERATE(0, 1, 2, 16, 2047, 100003, 1 << 18, 1 << 20);
  CAPTURE(n);
  const Sums test = sums(n, true);
  REQUIRE(test.test.expected.at(0).bound.at(0) == 0);
  CHECK(accepts(test, in_order(test.floats)));
  CHECK(accepts(test, as_tree(test.floats)));
  CHECK(accepts(test, largest_first(test.floats)));
  const double magnitudes = std::accumulate(test.floats.begin(), test.floats.end(), 0.0,
                                            [](double sum, float value) { return sum + std::abs(value); });
  CHECK(magnitudes <= 1 << 24);
}

TEST_CASE("sums of general floats pass in any order, at every length") {
  const std::int64_t n = GENERATE(1, 2, 33, 1500, 70001, 1 << 20);
  CAPTURE(n);
  const Sums test = sums(n, false);
  REQUIRE(test.test.expected.at(0).bound.at(0) > 0);
  CHECK(accepts(test, in_order(test.floats)));
  CHECK(accepts(test, as_tree(test.floats)));
  CHECK(accepts(test, largest_first(test.floats)));
}

TEST_CASE("the bound is what single precision can lose, and no more") {
  const Sums test = sums(1000, false);
  double magnitudes = 0;
  for (const float value : test.floats) magnitudes += std::abs(static_cast<double>(value));
  const double nu = 1000 * 0x1p-24;
  CHECK(test.test.expected.at(0).bound.at(0) == Approx(nu / (1 - nu) * magnitudes).epsilon(1e-12));
}

TEST_CASE("elements cut to half precision or TF32 fail where the bound is tight") {
  const std::int64_t n = GENERATE(33, 1013, 1500);
  CAPTURE(n);
  const Sums test = sums(n, false);
  CHECK_FALSE(accepts(test, coarse(test.floats, 10, false)));
  CHECK_FALSE(accepts(test, coarse(test.floats, 10, true)));
  CHECK_FALSE(accepts(test, coarse(test.floats, 7, false)));
  // Rounded to bfloat16, elements lose as much upwards as downwards; what is left grows like the root of n, the bound
  // like its square.
  if (n < 100) CHECK_FALSE(accepts(test, coarse(test.floats, 7, true)));
  CHECK(accepts(test, coarse(test.floats, 23, false)));
}

TEST_CASE("an element left out or added twice is seen, wherever it is") {
  const std::int64_t n = GENERATE(2, 16, 1025, 100003);
  CAPTURE(n);
  const Sums test = sums(n, true);
  const float sum = in_order(test.floats);
  for (const std::size_t i : {std::size_t{0}, test.floats.size() / 2, test.floats.size() - 1}) {
    CHECK_FALSE(accepts(test, sum - test.floats[i]));
    CHECK_FALSE(accepts(test, sum + test.floats[i]));
  }
  CHECK(std::ranges::count(test.floats, 0.0f) == 0);
}

TEST_CASE("all sums of integers fit an int") {
  const Sums test = sums(GENERATE(1, 2047, 1 << 20), true);
  const auto magnitudes = std::accumulate(test.integers.begin(), test.integers.end(), std::int64_t{0},
                                          [](std::int64_t sum, std::int32_t value) { return sum + std::abs(value); });
  CHECK(magnitudes <= std::numeric_limits<std::int32_t>::max());
  CHECK(test.test.expected.at(1).value.at(0) ==
        std::accumulate(test.integers.begin(), test.integers.end(), std::int64_t{0}));
}

TEST_CASE("sixteen elements are the handout's, which sum to 41") {
  const Sums test = sums(16, true);
  CHECK(test.integers == std::vector<std::int32_t>{10, 1, 8, -1, 0, -2, 3, 5, -2, -3, 2, 7, 0, 11, 0, 2});
  CHECK(test.test.expected.at(1).value.at(0) == 41);
}

TEST_CASE("the sum of nothing is 0") {
  const Case test = make_sum({{"n", 0}, {"whole", 1}});
  CHECK(test.inputs.at(0).elements() == 0);
  CHECK(test.inputs.at(0).data.empty());
  CHECK(test.expected.at(0).value == std::vector<double>{0});
  CHECK(test.expected.at(1).value == std::vector<double>{0});
}

TEST_CASE("the same seed gives the same arrays, another one others") {
  const auto data = [](std::uint64_t seed) { return make_sum({{"n", 100}, {"whole", 0}}, seed).inputs.at(0).data; };
  CHECK(data(1) == data(1));
  CHECK(data(1) != data(2));
}

TEST_CASE("parameters that make no array are refused by name") {
  CHECK(contains(message_of([] { make_sum({{"n", 5}}); }), "`whole` is missing"));
  CHECK(contains(message_of([] { make_sum({{"n", -1}, {"whole", 1}}); }), "`n` is -1"));
  CHECK(contains(message_of([] { make_sum({{"n", 1 << 21}, {"whole", 1}}); }), "`n` is 2097152"));
  CHECK(contains(message_of([] { make_sum({{"n", 5}, {"whole", 2}}); }), "`whole` is 2"));
  CHECK(contains(message_of([] { make_sum({{"n", 5}, {"whole", 1}, {"m", 1}}); }), "no parameter `m`"));
}
