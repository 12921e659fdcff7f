// A case that a busy machine may have disturbed is run again, and a wrong one stays wrong.
#include "check/measured_cases.h"

#include <stdexcept>

#include "catch.h"

namespace cudalabs {
namespace {

/// The run that took `seconds`.
Observation run_of(double seconds) {
  Observation observed;
  observed.wall_seconds = seconds;
  return observed;
}

bool took_long(const CaseRun& case_run) {
  return case_run.observed.wall_seconds > 1;
}

TEST_CASE("the first run that is not disturbed counts", "[check]") {
  CaseRun case_run;
  int runs = 0;
  observe_undisturbed(case_run, &took_long, [&] { return run_of(++runs < 3 ? 5 : 0.5 + 0.1 * runs); });
  CHECK(runs == 3);
  CHECK(case_run.observed.wall_seconds == Approx(0.8));
}

TEST_CASE("what is wrong every time is not run for ever", "[check]") {
  const auto runs_where = [](const std::function<bool()>& is_busy) {
    CaseRun case_run;
    int runs = 0;
    observe_undisturbed(
        case_run, &took_long, [&] { return run_of(5 + ++runs); }, is_busy);
    CHECK(case_run.observed.wall_seconds == 5 + runs);
    return runs;
  };
  CHECK(runs_where([] { return false; }) == kMostRuns);
  CHECK(runs_where([] { return true; }) == kMostRunsWhenBusy);
  int asked = 0;
  CHECK(runs_where([&] { return ++asked < 3; }) == kMostRuns + 2);
}

TEST_CASE("a case that measures nothing is run once", "[check]") {
  CaseRun case_run;
  int runs = 0;
  observe_undisturbed(case_run, nullptr, [&] { return run_of(5 + ++runs); });
  CHECK(runs == 1);
}

TEST_CASE("a lab says once which runs are disturbed", "[check]") {
  CHECK(disturbed_for("lab0_of_this_test") == nullptr);
  const MeasuredCases registered("lab0_of_this_test", &took_long);
  CHECK(disturbed_for("lab0_of_this_test") == &took_long);
  CHECK_THROWS_AS(MeasuredCases("lab0_of_this_test", &took_long), std::logic_error);
}

}  // namespace
}  // namespace cudalabs
