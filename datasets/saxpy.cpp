// The generator `saxpy`: two arrays x and y, and a·x + y for a whole number a. The product and the sum are rounded once
// each, or together where the compiler joins them.
#include <cmath>
#include <vector>

#include "datasets/array.h"
#include "datasets/dataset.h"
#include "datasets/parameters.h"
#include "datasets/rng.h"

namespace cudalabs::datasets {
namespace {

constexpr std::int64_t kLargestSaxpy = std::int64_t{1} << 24, kLargestFactor = 1000;
constexpr double kRounding = 0x1p-24;  // of a float, relative

/// Signs, an offset that drifts along the array, and an outlier in 61: an element from a wrong place is a wrong value.
std::vector<float> saxpy_operand(std::uint64_t seed, const std::string& name, std::int64_t n) {
  Rng rng(seed, name);
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) {
    double value = rng.uniform(-2, 2) + static_cast<double>(i) / static_cast<double>(n);
    if (rng.below(61) == 0) value *= 1000;
    values.push_back(static_cast<float>(value));
  }
  return values;
}

Case saxpy_case(const CaseSpec& spec, std::uint64_t seed) {
  const std::int64_t n = parameter(spec, "n", 1, kLargestSaxpy);
  const auto a = static_cast<double>(parameter(spec, "a", -kLargestFactor, kLargestFactor));
  only_parameters(spec, {"n", "a"});
  Case test;
  test.spec = spec;
  test.spec.seed = spec.seed.value_or(seed);
  const std::vector<float> x = saxpy_operand(*test.spec.seed, spec.name + "/x", n);
  const std::vector<float> y = saxpy_operand(*test.spec.seed, spec.name + "/y", n);
  ExpectedArray z{"z", ElementType::f32, {n}, {}, {}};
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double product = a * x[i], sum = product + y[i];
    z.value.push_back(sum);
    // Each rounding is off by at most half a unit in the last place; the second one is of the first one's result.
    z.bound.push_back(kRounding *
                      (std::abs(product) + (1 + kRounding) * (std::abs(sum) + kRounding * std::abs(product))));
  }
  test.inputs.push_back(make_array<float>("x", {n}, x));
  test.inputs.push_back(make_array<float>("y", {n}, y));
  if (spec.faults.any()) z.demand = Demand::all_or_nothing;
  test.expected.push_back(std::move(z));
  return test;
}

const RegisterGenerator kSaxpy("saxpy", saxpy_case);

}  // namespace
}  // namespace cudalabs::datasets
