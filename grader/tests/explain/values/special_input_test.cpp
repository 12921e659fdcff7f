// Results that are wrong just where an input is 0, subnormal, infinite, or beyond a limit.
#include "explain/values/special_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "catch.h"
#include "tests/check/make.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_special_input {
namespace {

const std::string kBits =
    "__device__ float twice(float v) {\n"
    "  return __int_as_float(__float_as_int(v) + (1 << 23));\n"
    "}\n"
    "__global__ void k(const float* in, float* out) {\n"
    "  out[i] = twice(in[i]);\n"
    "}\n";
constexpr float kTiny = 0x1p-140f;

/// The value of an input at a row of 16 elements: every fourth is special.
double input_at(std::int64_t row, std::int64_t column) {
  const double special = row == 0 ? 0.0 : row == 1 ? kTiny : reference_value(row, column);
  return column % 4 == 1 ? special : 1.0 + reference_value(row, column);
}

CaseRun run_with(const ValueAt& error) {
  const auto got = [&](std::int64_t row, std::int64_t column) {
    return reference_value(row, column) + error(row, column);
  };
  CaseRun made = case_run_with("one", expected_matrix(8, 16), float_matrix("c", 8, 16, got));
  made.test.inputs.push_back(float_matrix("picture", 8, 16, input_at));
  return judged(std::move(made));
}

MergedFinding explained(const ValueAt& error, const std::string& source, const CaseRun* right = nullptr) {
  MergedFinding finding;
  finding.id = finding_ids::kResultMismatch;
  finding.where = {"k.cu", 5, 10};
  finding.message = "`c` is wrong in scattered places";
  finding.help = "as before";
  finding.output = "c";
  finding.cases = {"one"};
  SubmissionRun submission_run;
  submission_run.case_runs.push_back(run_with(error));
  if (right != nullptr) submission_run.case_runs.push_back(*right);
  std::vector<MergedFinding> findings{finding};
  show_special_inputs(findings, source, "k.cu", submission_run);
  return findings.front();
}

double at_special(std::int64_t row, std::int64_t column) {
  return row < 2 && column % 4 == 1 ? 1 : 0;
}

}  // namespace

TEST_CASE("values that are wrong just where the input is 0 or subnormal lead to the bits that are computed") {
  const MergedFinding made = explained(at_special, kBits);
  CHECK(made.message == "`c` is wrong just where the input `picture` is 0 or subnormal");
  CHECK(made.where.line == 2);
  REQUIRE(made.other);
  CHECK(made.other->place.line == 5);
  CHECK_THAT(made.help, contains_text("line 2 works on the bits of a `float`"));
  CHECK(made.note.ends_with("a subnormal number is closer to 0 than 1.18e-38"));
}

TEST_CASE("where no line computes bits, the elements are told alone") {
  const auto at_zero = [](std::int64_t row, std::int64_t column) { return row == 0 && column % 4 == 1 ? 1.0 : 0.0; };
  const MergedFinding made = explained(at_zero, "void f() {\n}\n");
  CHECK(made.message == "`c` is wrong just where the input `picture` is 0");
  CHECK(made.where.line == 5);
  CHECK_THAT(made.help, contains_text("follow one element whose input is 0"));
}

TEST_CASE("nothing is said where other elements are wrong as well, or not all with such an input") {
  const auto with_other = [](std::int64_t row, std::int64_t column) { return row == 7 ? 1 : at_special(row, column); };
  const auto without_one = [](std::int64_t row, std::int64_t column) {
    return column == 1 ? 0 : at_special(row, column);
  };
  const auto nowhere_special = [](std::int64_t row, std::int64_t) { return row == 4 ? 1.0 : 0.0; };
  const auto too_few = [](std::int64_t row, std::int64_t column) { return row == 0 && column == 1 ? 1.0 : 0.0; };
  for (const ValueAt& error : {ValueAt(with_other), ValueAt(without_one), ValueAt(nowhere_special), ValueAt(too_few)})
    CHECK(explained(error, kBits).help == "as before");
}

TEST_CASE("nothing is said where another case is right with such inputs") {
  const CaseRun right = run_with([](auto, auto) { return 0.0; });
  CHECK(explained(at_special, kBits, &right).help == "as before");
}

TEST_CASE("values that are wrong just beyond a limit lead to the question for one") {
  const auto beyond = [](double limit, bool both) {
    return [=](std::int64_t row, std::int64_t column) {
      const double input = input_at(row, column);
      return (both ? std::abs(input) : limit > 0 ? input : -input) >= std::abs(limit) ? 1.0 : 0.0;
    };
  };
  const std::string text = "void f() {\n}\n";
  std::vector<double> inputs;
  for (std::int64_t row = 0; row < 8; ++row)
    for (std::int64_t column = 0; column < 16; ++column) inputs.push_back(input_at(row, column));
  std::ranges::sort(inputs);
  const double high = inputs.at(inputs.size() - 5), low = inputs.at(4);
  REQUIRE(low < 0);
  CHECK(explained(beyond(high, false), text).message ==
        fmt::format("`c` is wrong just where the input `picture` is {:g} or more", static_cast<float>(high)));
  CHECK(explained(beyond(low, false), text).message ==
        fmt::format("`c` is wrong just where the input `picture` is {:g} or less", static_cast<float>(low)));
  const MergedFinding both = explained(beyond(inputs.front(), true), text);
  CHECK_THAT(both.message, contains_text(fmt::format("or -{:g} or less", static_cast<float>(-inputs.front()))));
  CHECK_THAT(both.help, contains_text("is there a limit"));
  CHECK(both.where.line == 5);
}

TEST_CASE("nothing is said of a limit where an element beyond it is right, or few are wrong") {
  const auto upper = [](std::int64_t row, std::int64_t column) { return input_at(row, column) > 12 ? 1.0 : 0.0; };
  const auto but_one = [&](std::int64_t row, std::int64_t column) { return row == 7 ? 0.0 : upper(row, column); };
  const auto one = [](std::int64_t row, std::int64_t column) { return row == 3 && column == 3 ? 1.0 : 0.0; };
  CHECK(explained(upper, kBits).help != "as before");
  CHECK(explained(but_one, kBits).help == "as before");
  CHECK(explained(one, kBits).help == "as before");
}

}  // namespace cudalabs::test::of_special_input
