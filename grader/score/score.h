// Rubric and outcomes to points.
#pragma once

#include <string>
#include <vector>

#include "check/test_case.h"
#include "lab/lab.h"
#include "report/report.h"

namespace cudalabs {

/// One result for each check of the lab, in the order of lab.toml. A check
/// - passes, and earns its points, when its one test case ran and no assertion failed;
/// - is an error when the test case broke, or when there is not exactly one for it: an error never earns points, and
///   never counts as the student's failure;
/// - fails otherwise, and earns the share of its points that its test case awarded;
/// - is skipped when a check it needs did not pass, or when its test case did not run (it was not selected). A check on
///   synchronisation that saw a fault stays failed: what it saw may be the very reason why the other did not pass.
/// `registered`: all test cases there are. `outcomes`: those that ran.
std::vector<CheckResult> score(const Lab& lab, const std::vector<TestCase>& registered,
                               const std::vector<TestOutcome>& outcomes);

/// The same for a grading that broke before any check could run: every check is an error with this message.
std::vector<CheckResult> score_of_broken(const Lab& lab, const std::string& message);

struct Total {
  double points = 0, max = 0;

  bool full() const { return points >= max; }
};
Total total(const std::vector<CheckResult>& results);

}  // namespace cudalabs
