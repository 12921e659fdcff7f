// Which array the second of two kernels has read.
#include "check/detectors/stage_pattern.h"

#include "catch.h"
#include "make.h"

using namespace cudalabs;
using namespace cudalabs::test;

namespace {

constexpr std::int64_t kOfStage = 20;

float in_at(std::int64_t i) {
  return static_cast<float>(i * i % 17) - 3.5f;
}

datasets::Case stage_case(double factor) {
  datasets::Case test;
  std::vector<float> in;
  for (std::int64_t i = 0; i < kOfStage; ++i) in.push_back(in_at(i));
  test.inputs.push_back(array_of("in", datasets::ElementType::f32, {kOfStage}, in));
  datasets::ExpectedArray& out = test.expected.emplace_back();
  out.name = "out";
  out.shape = {kOfStage};
  for (std::int64_t i = 0; i < kOfStage; ++i) out.value.push_back(factor * (in_at(i) + in_at(kOfStage - 1 - i)));
  out.bound.assign(kOfStage, 0.0);
  return test;
}

template <typename Value>
std::optional<Detected> found_in(const Value& value) {
  const datasets::Case test = stage_case(2);
  std::vector<float> out;
  for (std::int64_t i = 0; i < kOfStage; ++i) out.push_back(value(i));
  const auto output = array_of("out", datasets::ElementType::f32, {kOfStage}, out);
  return second_stage_reads_input(compare(output, test.expected[0]), test, std::nullopt);
}

}  // namespace

TEST_CASE("the second kernel has read the input") {
  const auto found = found_in([](std::int64_t i) { return in_at(i) + in_at(kOfStage - 1 - i); });
  REQUIRE(found);
  CHECK(found->name == "second_stage_reads_input");
  CHECK_FALSE(found_in([](std::int64_t i) { return 2 * in_at(i); }));
}
