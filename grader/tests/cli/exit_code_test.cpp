// What the exit code says about how a grading went.
#include "cli/exit_code.h"
#include "catch.h"

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
