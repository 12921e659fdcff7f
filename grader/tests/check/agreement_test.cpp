// What a lab says of one wrong output is held against the others.
#include "check/agreement.h"

#include <algorithm>

#include "catch.h"
#include "check/explanations.h"
#include "make.h"

using namespace cudalabs;
using namespace cudalabs::test;

namespace {

/// Says of outputs of three columns that all their elements are too large, and means those of other sizes as well.
std::optional<Detected> too_large(const Comparison& comparison, const datasets::Case&, std::optional<BlockShape>) {
  if (comparison.shape[1] != 3) return std::nullopt;
  return Detected{"test_too_large"};
}
bool none_is_smaller(std::string_view, std::span<const CaseOutput> outputs) {
  return std::ranges::all_of(outputs, [](const CaseOutput& output) {
    return output.comparison->right() ? output.comparison->shape[1] != 5
                                      : output.comparison->got[0] > output.comparison->expected[0];
  });
}
const RegisterDetector kTooLarge({{"test_too_large"}}, too_large, none_is_smaller);

CaseRun run_of(std::int64_t columns, double added, const std::string& kernel = "k") {
  CaseRun made = case_run_with(
      std::to_string(columns), expected_matrix(2, columns), float_matrix("c", 2, columns, [=](auto row, auto column) {
        return reference_value(row, column) + added * (1.0 + static_cast<double>(column * row));
      }));
  made.observed.launches.emplace_back().kernel = kernel;
  return made;
}

/// What is said of the first of the cases.
std::string message_for(std::vector<CaseRun> case_runs) {
  const std::vector<Explanation> explanations{{"test_too_large", "it is too large", "take less"}};
  judge(case_runs, explanations);
  return case_runs.front().judged().mismatches.at(0).finding.message;
}

}  // namespace

TEST_CASE("an explanation is withdrawn that another wrong output contradicts") {
  CHECK_THAT(message_for({run_of(3, 1), run_of(4, 2)}), contains_text("too large"));
  CHECK_THAT(message_for({run_of(3, 1), run_of(4, -2)}), !contains_text("too large"));
  CaseRun failed = run_of(4, -2);
  failed.test.spec.faults.copy = 1;  // a call was made to fail: its results say nothing
  CHECK_THAT(message_for({run_of(3, 1), failed}), contains_text("too large"));
}

TEST_CASE("a right output contradicts where the same kernels have computed it") {
  CHECK_THAT(message_for({run_of(3, 1), run_of(4, 0), run_of(5, 0, "other")}), contains_text("too large"));
  CHECK_THAT(message_for({run_of(3, 1), run_of(5, 0)}), !contains_text("too large"));
}
