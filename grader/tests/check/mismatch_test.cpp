// Mismatches as findings.
#include "check/mismatch.h"

#include <limits>

#include "catch.h"
#include "make.h"

using namespace cudalabs;
using namespace cudalabs::test;

namespace {

datasets::Case named(const std::string& name, bool hidden = false) {
  datasets::Case test;
  test.spec.name = name;
  test.spec.title = "secret sizes";
  test.spec.hidden = hidden;
  return test;
}

}  // namespace

TEST_CASE("a right output has no mismatch") {
  CHECK(mismatches_of(compared(4, 4, reference_value), named("x"), std::nullopt).empty());
}

TEST_CASE("a mismatch names output, place, pattern, count, case and values") {
  const auto found = mismatches_of(
      compared(33, 4, [](auto row, auto column) { return row == 32 ? 0.0 : reference_value(row, column); }),
      named("one_more"), BlockShape{16, 16});
  REQUIRE(found.size() == 1);
  const Finding& finding = found[0].finding;
  CHECK(finding.id == "result-mismatch");
  CHECK(finding.severity == Severity::error);
  CHECK(finding.message == "`c` is wrong in row 32: beyond the last whole block of 16 rows; every wrong element is 0");
  CHECK(finding.count == 4);
  CHECK_THAT(finding.note, contains_text("case `one_more` (secret sizes): 4 of 132 elements"));
  CHECK_THAT(finding.note, contains_text("first: c[32][0] is 0, expected 97 ± 0.001"));
  CHECK_THAT(finding.note, !contains_text("worst"));  // the first is the worst
  CHECK_FALSE(finding.help.empty());
  CHECK(found[0].clarity == Clarity::values);
}

TEST_CASE("the worst element is named where it is not the first") {
  const auto found = mismatches_of(
      compared(4, 4, [](auto row, auto column) { return reference_value(row, column) + static_cast<double>(row); }),
      named("x"), std::nullopt);
  REQUIRE(found.size() == 1);
  CHECK_THAT(found[0].finding.note, contains_text("first: c[1][0] is 5, expected 4"));
  CHECK_THAT(found[0].finding.note, contains_text("worst: c[3][0] is 13, expected 10"));
}

TEST_CASE("every kind of fault is a finding of its own") {
  datasets::Array output = float_matrix("c", 4, 4, [](auto row, auto column) {
    if (row == 1) return std::numeric_limits<double>::quiet_NaN();
    return reference_value(row, column) + (row == 2 ? 100 + static_cast<double>(column * column) : 0);
  });
  for (std::int64_t column = 0; column < 4; ++column) poison(output, column);
  const auto found = mismatches_of(compare(output, expected_matrix(4, 4)), named("x"), std::nullopt);
  REQUIRE(found.size() == 3);
  CHECK(found[0].finding.id == "unwritten-output");
  CHECK(found[0].finding.message == "`c` was never written in row 0 (the first)");
  CHECK(found[1].finding.id == "nonfinite-result");
  CHECK(found[1].finding.message == "`c` is NaN or infinite in row 1");
  CHECK(found[2].finding.id == "result-mismatch");
  CHECK(found[2].finding.message == "`c` is wrong in row 2");
}

TEST_CASE("a hidden case keeps its title and its values to itself") {
  const auto found = mismatches_of(compared(4, 4, [](auto, auto) { return 12345.0; }), named("x7", true), std::nullopt);
  REQUIRE(found.size() == 1);
  CHECK(found[0].finding.note == "hidden case `x7`: 16 of 16 elements");
}

TEST_CASE("of an input without elements there is a result as well") {
  datasets::Array sum = float_matrix("c", 1, 1);
  poison(sum, 0);
  datasets::Case test = named("empty");
  test.inputs.push_back(float_matrix("in", 1, 0));
  CHECK_THAT(mismatches_of(compare(sum, expected_matrix(1, 1)), test, std::nullopt)[0].finding.help,
             contains_text("also when the input has no elements"));
}

TEST_CASE("an output that did not come back is unwritten") {
  const auto found = mismatches_of(missing_output(expected_matrix(2, 2)), named("x"), std::nullopt);
  REQUIRE(found.size() == 1);
  CHECK(found[0].finding.id == "unwritten-output");
  CHECK(found[0].finding.message == "`c` did not come back");
}

TEST_CASE("the message of an output that is faulty everywhere") {
  CHECK(mismatches_of(compared(4, 4, [](auto, auto) { return std::numeric_limits<double>::infinity(); }), named("x"),
                      std::nullopt)[0]
            .finding.message == "`c` is NaN or infinite everywhere");
  datasets::Array untouched = float_matrix("c", 2, 2);
  for (std::int64_t i = 0; i < 4; ++i) poison(untouched, i);
  CHECK(mismatches_of(compare(untouched, expected_matrix(2, 2)), named("x"), std::nullopt)[0].finding.message ==
        "no element of `c` was ever written");
  CHECK_THAT(mismatches_of(compare(untouched, expected_matrix(2, 2)), named("x"), std::nullopt)[0].finding.help,
             contains_text("brings it back"));
}

TEST_CASE("the help fits the fault: an unwritten edge lacks blocks, a wrong one is handled wrongly") {
  datasets::Array unwritten = float_matrix("c", 33, 2);
  for (const std::int64_t i : {64, 65}) poison(unwritten, i);
  const Finding edge =
      mismatches_of(compare(unwritten, expected_matrix(33, 2)), named("x"), BlockShape{16, 16})[0].finding;
  CHECK_THAT(edge.help, contains_text("rounded up"));
  CHECK(edge.help.advises(Advice::round_up_blocks));
  CHECK(edge.subject == "c");
  const auto wrong =
      compared(33, 2, [](auto row, auto column) { return row == 32 ? -7.5 : reference_value(row, column); });
  CHECK_THAT(mismatches_of(wrong, named("x"), BlockShape{16, 16})[0].finding.help, contains_text("at the edge"));
}

TEST_CASE("of one element that is missing it is not said that it was written never, but only there") {
  datasets::Array output = float_matrix("c", 4, 4);
  poison(output, 15);
  CHECK(mismatches_of(compare(output, expected_matrix(4, 4)), named("x"), std::nullopt)[0].finding.message ==
        "`c` was never written in the last element");
}
