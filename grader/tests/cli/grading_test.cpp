// What a report says about how a grading went, and which cases are run for their counters.
#include "catch.h"
#include "cli/exit_code.h"
#include "cli/trials.h"

using namespace cudalabs;

namespace {

Report with(std::vector<CheckStatus> statuses) {
  Report report;
  for (const CheckStatus status : statuses) {
    report.checks.emplace_back();
    report.checks.back().status = status;
  }
  return report;
}

}  // namespace

TEST_CASE("the exit code says how a grading went") {
  CHECK(exit_code_of(with({CheckStatus::passed, CheckStatus::passed})) == 0);
  CHECK(exit_code_of(with({CheckStatus::passed, CheckStatus::failed})) == 1);
  CHECK(exit_code_of(with({CheckStatus::passed, CheckStatus::skipped})) == 1);
  CHECK(exit_code_of(with({CheckStatus::failed, CheckStatus::error})) == 3);
  CHECK(exit_code_of(with({})) == 3);
}

TEST_CASE("a case is run for its counters when a check on quality or speed looks at it") {
  Lab lab;
  lab.checks = {{"edges", "", Category::correctness, 1, {}, ""},
                {"reuse", "", Category::quality, 1, {}, ""},
                {"fast", "", Category::speed, 1, {}, ""}};
  datasets::CaseSpec spec;
  CHECK_FALSE(wants_counters(lab, spec));
  spec.tags = {"edges"};
  CHECK_FALSE(wants_counters(lab, spec));
  spec.tags = {"edges", "reuse"};
  CHECK(wants_counters(lab, spec));
  spec.tags = {"fast"};
  CHECK(wants_counters(lab, spec));
}
