// Outputs of which another thing is asked than a value, integers, and arrays of one element and of none.
#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "catch.h"
#include "check/mismatch.h"
#include "check/value_pattern.h"
#include "datasets/answer_digest.h"
#include "make.h"

using namespace cudalabs;
using namespace cudalabs::test;
using datasets::Demand;
using datasets::ElementType;

namespace {

datasets::Array untouched_floats(std::int64_t n) {
  datasets::Array array = float_matrix("c", 1, n);
  array.shape = {n};
  std::ranges::fill(array.data, std::byte{datasets::fill_of(Demand::all_or_nothing)});
  return array;
}

datasets::ExpectedArray expected_floats(std::int64_t n, Demand demand) {
  datasets::ExpectedArray expected = expected_matrix(1, n);
  expected.shape = {n};
  expected.demand = demand;
  return expected;
}

datasets::ExpectedArray expected_bytes(const std::vector<double>& values) {
  return {"gray",
          ElementType::u8,
          {static_cast<std::int64_t>(values.size())},
          values,
          std::vector<double>(values.size(), 0.0)};
}

Comparison compared_bytes(const std::vector<std::uint8_t>& got, const std::vector<double>& expected) {
  return compare(array_of("gray", ElementType::u8, {static_cast<std::int64_t>(got.size())}, got),
                 expected_bytes(expected));
}

}  // namespace

TEST_CASE("all or nothing: an output is right when all of it is untouched, or all of it is right") {
  CHECK(compare(untouched_floats(5), expected_floats(5, Demand::all_or_nothing)).right());
  datasets::Array output = float_matrix("c", 1, 5);
  output.shape = {5};
  CHECK(compare(output, expected_floats(5, Demand::all_or_nothing)).right());
  poison(output, 4);
  CHECK(compare(output, expected_floats(5, Demand::all_or_nothing)).count(Fault::touched) == 5);
}

TEST_CASE("all or nothing: one element that was written is seen, whatever it holds") {
  datasets::Array output = untouched_floats(5);
  const float written =
      GENERATE(0.0f, 1.0f, std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity());
  std::memcpy(output.data.data() + 12, &written, sizeof written);
  const Comparison comparison = compare(output, expected_floats(5, Demand::all_or_nothing));
  CHECK_FALSE(comparison.right());
  CHECK(comparison.count(Fault::touched) == 1);
  const auto found = mismatches_of(comparison, {}, std::nullopt);
  REQUIRE(found.size() == 1);
  CHECK(found[0].finding.id == "result-mismatch");
  CHECK(found[0].finding.message.starts_with("`c` was written"));
  CHECK(found[0].finding.message.ends_with(", although a call had failed"));
  CHECK(found[0].after_failure);
  CHECK(found[0].finding.note.find("expected") == std::string::npos);
}

TEST_CASE("all or nothing: rubbish of the device is not what was there before") {
  datasets::Array output = untouched_floats(5);
  for (std::int64_t i = 0; i < 5; ++i) poison(output, i);
  CHECK(compare(output, expected_floats(5, Demand::all_or_nothing)).count(Fault::touched) == 5);
}

TEST_CASE("an output that may hold any value is right, unless it did not come back as what it is") {
  CHECK(compare(untouched_floats(5), expected_floats(5, Demand::any_value)).right());
  datasets::Array output = float_matrix("c", 1, 5, [](auto, auto) { return 1e30; });
  output.shape = {5};
  CHECK(compare(output, expected_floats(5, Demand::any_value)).right());
  CHECK_FALSE(compare(output, expected_floats(6, Demand::any_value)).right());
}

TEST_CASE("an array of no elements is right, and one of another size is not") {
  const datasets::ExpectedArray expected = expected_floats(0, Demand::value);
  CHECK(compare(untouched_floats(0), expected).right());
  CHECK(mismatches_of(compare(untouched_floats(0), expected), {}, BlockShape{1, 256}).empty());
  CHECK_FALSE(compare(untouched_floats(1), expected).right());
  CHECK_FALSE(missing_output(expected).right());
}

TEST_CASE("integers are compared exactly, up to their limits") {
  const double least = std::numeric_limits<std::int32_t>::min(), most = std::numeric_limits<std::int32_t>::max();
  const datasets::ExpectedArray expected{"x", ElementType::i32, {3}, {least, -1, most}, {0, 0, 0}};
  const auto got = [](std::vector<std::int32_t> values) { return array_of("x", ElementType::i32, {3}, values); };
  constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min();
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  CHECK(compare(got({kLeast, -1, kMost}), expected).right());
  CHECK(compare(got({kLeast + 1, -1, kMost}), expected).count(Fault::wrong) == 1);
  CHECK(compare(got({kLeast, -1, kMost - 1}), expected).count(Fault::wrong) == 1);
  CHECK(compare(got({kLeast, -1, -1}), expected).count(Fault::unwritten) == 1);
}

TEST_CASE("bytes are compared as numbers from 0 to 255, and never judged unwritten") {
  CHECK(compared_bytes({0, 128, 255}, {0, 128, 255}).right());
  CHECK(compared_bytes({0, 128, 255}, {0, 127, 254}).count(Fault::wrong) == 2);
}

TEST_CASE("bytes that nobody wrote are said to be as they were") {
  const auto pattern = explain_values(compared_bytes({1, 255, 255, 255}, {1, 20, 30, 40}));
  REQUIRE(pattern);
  CHECK(pattern->kind == ValueKind::untouched_bytes);
  CHECK_FALSE(untouched_bytes(compared_bytes({1, 255, 255, 254}, {1, 20, 30, 40})));
}

TEST_CASE("integers that are one off, all in the same direction, are said to be") {
  const auto low = explain_values(compared_bytes({9, 20, 29, 39}, {10, 20, 30, 40}));
  REQUIRE(low);
  CHECK(low->kind == ValueKind::one_off);
  CHECK(low->what == "every wrong element is 1 too small");
  CHECK(explain_values(compared_bytes({11, 21, 31, 40}, {10, 20, 30, 40}))->what ==
        "every wrong element is 1 too large");
  CHECK_FALSE(one_off(compared_bytes({9, 21, 29, 39}, {10, 20, 30, 40})));
  CHECK_FALSE(one_off(compared_bytes({9, 20, 30, 39}, {10, 20, 30, 40})));  // two of them may be chance
  CHECK_FALSE(one_off(compared(1, 4, [](auto row, auto column) { return reference_value(row, column) - 1; })));
}

TEST_CASE("of bytes that are 0 a lost upper part is asked about, and a factor; no integer lacks precision") {
  CHECK(explain_values(compared_bytes({0, 0, 0}, {10, 20, 30}))->help.find("kept in a byte") != std::string::npos);
  const datasets::ExpectedArray large{"x", ElementType::i32, {4}, {100000, 100003, 100010, 100020}, {0, 0, 0, 0}};
  const auto got = array_of("x", ElementType::i32, {4}, std::vector<std::int32_t>{100004, 100001, 100013, 100015});
  CHECK_FALSE(low_precision(compare(got, large)));
}

TEST_CASE("a single number is wrong, and nowhere in particular") {
  const datasets::ExpectedArray expected{"sum", ElementType::i32, {1}, {41}, {0}};
  const auto found = mismatches_of(
      compare(array_of("sum", ElementType::i32, {1}, std::vector<std::int32_t>{36}), expected), {}, std::nullopt);
  REQUIRE(found.size() == 1);
  CHECK(found[0].finding.message == "`sum` is wrong: 36, expected 41");
  CHECK(found[0].finding.note.find("elements") == std::string::npos);
}

TEST_CASE("a single number of a hidden case stays hidden") {
  const datasets::ExpectedArray expected{"sum", ElementType::i32, {1}, {41}, {0}};
  datasets::Case test;
  test.spec.hidden = true;
  const auto found = mismatches_of(
      compare(array_of("sum", ElementType::i32, {1}, std::vector<std::int32_t>{36}), expected), test, std::nullopt);
  REQUIRE(found.size() == 1);
  CHECK(found[0].finding.message == "`sum` is wrong");
  CHECK(found[0].finding.note.find("41") == std::string::npos);
}

TEST_CASE("a single number that is none is shown as such, without its sign") {
  const datasets::ExpectedArray expected{"sum", ElementType::f32, {1}, {41}, {0}};
  const float none = -std::numeric_limits<float>::quiet_NaN();
  const auto found = mismatches_of(compare(array_of("sum", ElementType::f32, {1}, std::vector<float>{none}), expected),
                                   {}, std::nullopt);
  REQUIRE(found.size() == 1);
  CHECK(found[0].finding.message == "`sum` is NaN or infinite: NaN, expected 41");
}

TEST_CASE("of answers the wrong ones are named with their hints, and no right one is told") {
  constexpr double kSecret = std::numeric_limits<double>::quiet_NaN();
  datasets::ExpectedArray quiz{"quiz", ElementType::i32, {3}, {kSecret, kSecret, kSecret}, {0, 0, 0}};
  quiz.questions = {{"blocks_x", "count along x"}, {"blocks_y", "count along y"}, {"blocks", "multiply"}};
  const datasets::RegisterAnswers registered({{"blocks_x", datasets::answer_digest("blocks_x", 5)},
                                              {"blocks_y", datasets::answer_digest("blocks_y", 4)},
                                              {"blocks", datasets::answer_digest("blocks", 20)}});
  const auto found_for = [&](const std::vector<std::int32_t>& answers) {
    return mismatches_of(compare(array_of("quiz", ElementType::i32, {3}, answers), quiz), {}, std::nullopt);
  };
  CHECK(found_for({5, 4, 20}).empty());
  const auto found = found_for({5, -1, 16});  // -1 is the pattern of what was never written, and an answer
  REQUIRE(found.size() == 1);
  CHECK(found[0].output == "quiz");
  CHECK(found[0].finding.id == "result-mismatch");
  CHECK(found[0].finding.count == 2);
  CHECK(found[0].finding.message == "`blocks_y` and `blocks` are wrong");
  CHECK(found[0].finding.subject == "blocks_y");
  CHECK(found[0].finding.note.find("`blocks_y` is -1: count along y") != std::string::npos);
  CHECK(found[0].finding.note.find("`blocks` is 16: multiply") != std::string::npos);
  CHECK(found[0].finding.note.find("20") == std::string::npos);
  CHECK(found[0].finding.note.find("blocks_x") == std::string::npos);
  CHECK(found_for({4, 4, 20})[0].finding.message == "`blocks_x` is wrong");
  // Of a single one it is said what it counts, as far as that is known.
  const datasets::RegisterMiscounts miscounts(
      {{"blocks", {{datasets::answer_digest("blocks", 9), "the two numbers are added"}}}});
  CHECK(found_for({4, 4, 20})[0].finding.help ==
        "the other answers are right, and this number answers `blocks_y`: look at what this one asks for");
  CHECK(found_for({5, 4, 9})[0].finding.help ==
        "the other answers are right; this one is what comes out when the two numbers are added");
  CHECK(found_for({5, 4, 19})[0].finding.help == "the other answers are right: count this one again, step by step");
  CHECK(found_for({5, 5, 9})[0].finding.help == "think of the first one; the others may follow from it");
}
