// Integers that were added as `float`, and others that only look so.
#include "check/float_sum.h"

#include "catch.h"
#include "make.h"

namespace cudalabs::test {
namespace {

using datasets::ElementType;

constexpr double kSum = 26'899'691;

Mismatch judged_sum(double got, std::vector<vgpu::OriginPlace> origins, double expected = kSum,
                    ElementType input = ElementType::i32, const std::string& writes_to = "sum") {
  datasets::Case test;
  test.inputs.push_back(array_of("integers", input, {2}, std::vector<std::int32_t>{1, 2}));
  Observation observed;
  observed.writers = {{writes_to, "sums<int>", {"a.cu", 9, 1}, std::move(origins)}};
  const auto output = array_of("sum", ElementType::i32, {1}, std::vector{static_cast<std::int32_t>(got)});
  const Comparison comparison = compare(output, {"sum", ElementType::i32, {1}, {expected}, {0}});
  Mismatch mismatch;
  mismatch.output = "sum";
  mismatch.fault = Fault::wrong;
  mismatch.finding.message = "`sum` is wrong";
  name_float_sum(mismatch, comparison, test, observed);
  return mismatch;
}

bool is_named(const Mismatch& mismatch) {
  return mismatch.pattern && mismatch.pattern->kind == ValueKind::added_as_float;
}

const std::vector<vgpu::OriginPlace> kMadeOfFloats{{vgpu::OriginKind::integer, {"a.cu", 9, 1}, {}}};

}  // namespace

TEST_CASE("a rounded integer that was made of a floating-point number was added as one") {
  const Mismatch mismatch = judged_sum(kSum + 1, kMadeOfFloats);
  REQUIRE(is_named(mismatch));
  CHECK(mismatch.finding.message == "`sum` is wrong; rounded as if the integers were added as `float`");
  CHECK(mismatch.clarity == Clarity::values);
}

TEST_CASE("other integers were not, as far as anybody knows") {
  CHECK_FALSE(is_named(judged_sum(kSum + 1, {})));                                     // no such conversion
  CHECK_FALSE(is_named(judged_sum(kSum + 2, kMadeOfFloats)));                          // no `float` holds it
  CHECK_FALSE(is_named(judged_sum(kSum + 100'001, kMadeOfFloats)));                    // an element is missing
  CHECK_FALSE(is_named(judged_sum(1001, kMadeOfFloats, 1000)));                        // a `float` holds both
  CHECK_FALSE(is_named(judged_sum(kSum + 1, kMadeOfFloats, kSum, ElementType::f32)));  // of no integers
  CHECK_FALSE(is_named(judged_sum(kSum + 1, kMadeOfFloats, kSum, ElementType::i32, "other")));
}

}  // namespace cudalabs::test
