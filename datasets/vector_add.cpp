// The generator `vector_add`: two arrays and their sum. A sum of two floats is rounded once, so there is one right
// answer.
#include <vector>

#include "datasets/array.h"
#include "datasets/dataset.h"
#include "datasets/host_arrays.h"
#include "datasets/parameters.h"
#include "datasets/rng.h"

namespace cudalabs::datasets {
namespace {

constexpr std::int64_t kLargestVector = std::int64_t{1} << 24;

/// Signs, an offset that drifts along the array, and an outlier in 61: an element from a wrong place is a wrong value.
std::vector<float> vector_operand(std::uint64_t seed, const std::string& name, std::int64_t n) {
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

void add_up(Case& test) {
  const auto a = values_of<float>(test.inputs[0]), b = values_of<float>(test.inputs[1]);
  std::vector<double>& sums = test.expected[0].value;
  sums.clear();
  for (std::size_t i = 0; i < a.size(); ++i) {
    // Rounded to the nearest on every device. The sum in double is rounded twice, which is the same: double has more
    // than twice the digits of float (Figueroa, When is double rounding innocuous?, SIGNUM Newsletter 30(3), 1995).
    sums.push_back(static_cast<float>(static_cast<double>(a[i]) + b[i]));
  }
}

Case vector_add_case(const CaseSpec& spec, std::uint64_t seed) {
  const std::int64_t n = parameter(spec, "n", 0, kLargestVector);
  only_parameters(spec, {"n"});
  Case test;
  test.spec = spec;
  test.spec.seed = spec.seed.value_or(seed);
  test.inputs.push_back(make_array<float>("a", {n}, vector_operand(*test.spec.seed, spec.name + "/a", n)));
  test.inputs.push_back(make_array<float>("b", {n}, vector_operand(*test.spec.seed, spec.name + "/b", n)));
  ExpectedArray c{"c", ElementType::f32, {n}, {}, {}};
  c.bound.assign(static_cast<std::size_t>(n), 0.0);
  if (spec.faults.any()) c.demand = Demand::all_or_nothing;
  test.expected.push_back(std::move(c));
  add_up(test);
  return test;
}

const RegisterGenerator kVectorAdd("vector_add", vector_add_case);
const RegisterHostArrays kHostArrays("vector_add", add_up);

}  // namespace
}  // namespace cudalabs::datasets
