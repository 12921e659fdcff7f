// The generator `timing`: which function is called, on how long a kernel or on which array.
#include <vector>

#include "datasets/array.h"
#include "datasets/dataset.h"
#include "datasets/parameters.h"
#include "datasets/rng.h"

namespace cudalabs::datasets {
namespace {

constexpr std::int64_t kTwoStage = 4;
constexpr std::int64_t kMostRounds = 1'000'000, kMostTimedElements = std::int64_t{1} << 20;
constexpr std::int64_t kMostHostMicroseconds = 100'000;
constexpr std::int64_t kSteps = std::int64_t{1} << 22;
constexpr std::int64_t kValues = 256;  // lab6::kBlocks * lab6::kThreads of timing.h

/// What the run gives back is a time, which only the clocks of that run can judge.
ExpectedArray anything(std::string name, ElementType type, std::int64_t elements) {
  const std::vector<double> zeros(static_cast<std::size_t>(elements));
  return {std::move(name), type, {elements}, zeros, zeros, Demand::any_value};
}

ExpectedArray exactly(std::string name, std::vector<double> values) {
  const auto elements = static_cast<std::int64_t>(values.size());
  std::vector<double> bounds(values.size());
  return {std::move(name), ElementType::f32, {elements}, std::move(values), std::move(bounds)};
}

Case timing_case(const CaseSpec& spec, std::uint64_t seed) {
  Case test;
  test.spec = spec;
  test.spec.seed = spec.seed.value_or(seed);
  if (parameter(spec, "function", 1, kTwoStage) != kTwoStage) {
    only_parameters(spec, {"function", "rounds", "earlier_rounds", "older_rounds", "later_rounds", "host_us"});
    parameter(spec, "rounds", 1, kMostRounds);
    // 0: the function is called once; else it was called before, with a kernel of so many rounds.
    if (test.spec.parameters.try_emplace("earlier_rounds", 0).first->second != 0)
      parameter(spec, "earlier_rounds", 1, kMostRounds);
    // 0: the device has nothing to do when the function begins; else it has a kernel of so many rounds.
    if (test.spec.parameters.try_emplace("older_rounds", 0).first->second != 0)
      parameter(spec, "older_rounds", 1, kMostRounds);
    // 0: no call follows; else the function is called once more, with a kernel of so many rounds.
    const std::int64_t later = test.spec.parameters.try_emplace("later_rounds", 0).first->second;
    if (later != 0) parameter(spec, "later_rounds", 1, kMostRounds);
    // What a call of `launch()` costs the host besides the launch itself, in microseconds: what the case says and up to
    // half of that again, so that nobody can know it before.
    if (std::int64_t& host_us = test.spec.parameters.try_emplace("host_us", 0).first->second; host_us != 0) {
      parameter(spec, "host_us", 2, kMostHostMicroseconds);
      host_us += static_cast<std::int64_t>(
          Rng(*test.spec.seed, spec.name + "/host").below(static_cast<std::uint64_t>(host_us / 2)));
    }
    test.expected = {anything("milliseconds", ElementType::f64, 1), anything("launches", ElementType::i32, 1),
                     anything("host_milliseconds", ElementType::f64, 1), anything("values", ElementType::f32, kValues)};
    if (later != 0) test.expected.push_back(anything("later_milliseconds", ElementType::f64, 1));
    return test;
  }
  only_parameters(spec, {"function", "n"});
  const std::int64_t n = parameter(spec, "n", 0, kMostTimedElements);
  Rng rng(*test.spec.seed, spec.name + "/in");
  std::vector<float> in;
  std::vector<double> mid, out;
  for (std::int64_t i = 0; i < n; ++i) {
    // 22 bits, ten of them behind the point: every result is exact in float, and in nothing smaller.
    in.push_back(static_cast<float>(static_cast<std::int64_t>(rng.below(kSteps)) - kSteps / 2) / 1024.0f);
    mid.push_back(2.0 * static_cast<double>(in.back()));
  }
  for (std::size_t i = 0; i < mid.size(); ++i) out.push_back(mid[i] + mid[mid.size() - 1 - i]);
  test.inputs = {make_array<float>("in", {n}, in)};
  test.expected = {exactly("mid", std::move(mid)), exactly("out", std::move(out))};
  return test;
}

const RegisterGenerator kTiming("timing", timing_case);

}  // namespace
}  // namespace cudalabs::datasets
