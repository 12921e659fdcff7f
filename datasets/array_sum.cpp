// The generator `array_sum`: arrays to sum, with an exact sum in any order or with one that rounds.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "datasets/array.h"
#include "datasets/coarse_bits.h"
#include "datasets/dataset.h"
#include "datasets/parameters.h"
#include "datasets/rng.h"

namespace cudalabs::datasets {
namespace {

constexpr std::int64_t kLargestSum = std::int64_t{1} << 20;
constexpr std::int64_t kFloatLimit = std::int64_t{1} << 24;    // all whole numbers up to here are floats
constexpr std::int64_t kIntegerLimit = std::int64_t{1} << 30;  // sums stay below: they fit an int
constexpr double kUnit = std::numeric_limits<float>::epsilon() / 2;

/// n whole numbers other than 0, two in five negative, whose magnitudes add up to `limit` at most: every sum of some of
/// them is exact, in any order, and an element that is left out or counted twice shows. None exceeds `largest`.
std::vector<std::int32_t> whole_numbers(Rng& rng, std::int64_t n, std::int64_t limit, std::int64_t largest) {
  if (n > 0) largest = std::clamp<std::int64_t>(limit / n, 1, largest);
  std::vector<std::int32_t> values;
  values.reserve(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) {
    const auto magnitude = static_cast<std::int32_t>(1 + rng.below(static_cast<std::uint64_t>(largest)));
    values.push_back(rng.below(5) < 2 ? -magnitude : magnitude);
  }
  return values;
}

/// Magnitudes that drift along the array, one negative in eight, an outlier in 61. So few are negative that the losses
/// of a short cut through half precision add up to more than single precision may lose.
std::vector<float> general_floats(Rng& rng, std::int64_t n) {
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) {
    double value = rng.uniform(0.25, 1) + 0.5 * static_cast<double>(i) / static_cast<double>(n);
    if (rng.below(61) == 0) value *= 50;
    if (rng.below(8) == 0) value = -value;
    values.push_back(make_cut_visible(value, rng));
  }
  return values;
}

// Every term goes through at most n - 1 additions, whatever their order, so with u = eps/2 = 2^-24 a sum is off by at
// most g · Σ|x|, g = (n-1)u / (1 - (n-1)u) (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section
// 4.2). n is at most 2^20, so n·u is at most 1/16; n instead of n - 1 leaves room for the reference, which is off by
// 2^-29 times as much. The smallest normal number covers sums that a device flushes to zero.
double sum_bound(std::int64_t n, double sum_abs) {
  const double nu = static_cast<double>(n) * kUnit;
  return nu / (1 - nu) * sum_abs + std::numeric_limits<float>::min();
}

ExpectedArray expected_sum(std::string name, ElementType type, double sum, double bound) {
  return {std::move(name), type, {1}, {sum}, {bound}};
}

Case reduction_case(const CaseSpec& spec, std::uint64_t seed) {
  const std::int64_t n = parameter(spec, "n", 0, kLargestSum);
  const bool whole = parameter(spec, "whole", 0, 1) == 1;
  only_parameters(spec, {"n", "whole"});
  Case test;
  test.spec = spec;
  test.spec.seed = spec.seed.value_or(seed);

  std::vector<float> floats;
  Rng float_rng(*test.spec.seed, spec.name + "/floats");
  if (whole) {
    for (const std::int32_t value : whole_numbers(float_rng, n, kFloatLimit, 1000)) {
      floats.push_back(static_cast<float>(value));
    }
  } else {
    floats = general_floats(float_rng, n);
  }
  Rng integer_rng(*test.spec.seed, spec.name + "/integers");
  std::vector<std::int32_t> integers = whole_numbers(integer_rng, n, kIntegerLimit, 1'000'000);
  if (n == 16) integers = {10, 1, 8, -1, 0, -2, 3, 5, -2, -3, 2, 7, 0, 11, 0, 2};  // the handout's: 41

  double float_sum = 0, float_abs = 0, integer_sum = 0;
  for (const float value : floats) {
    float_sum += value;
    float_abs += std::abs(static_cast<double>(value));
  }
  for (const std::int32_t value : integers) integer_sum += value;
  test.inputs.push_back(make_array<float>("floats", {n}, floats));
  test.inputs.push_back(make_array<std::int32_t>("integers", {n}, integers));
  test.expected.push_back(
      expected_sum("float_sum", ElementType::f32, float_sum, whole ? 0.0 : sum_bound(n, float_abs)));
  test.expected.push_back(expected_sum("integer_sum", ElementType::i32, integer_sum, 0.0));
  return test;
}

const RegisterGenerator kArraySum("array_sum", reduction_case);

}  // namespace
}  // namespace cudalabs::datasets
