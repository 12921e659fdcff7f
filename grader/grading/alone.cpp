#include "grading/alone.h"

#include <algorithm>

#include "grading/second_run.h"

namespace cudalabs {

void run_alone(std::vector<CaseRun>& case_runs, const AuditSetup& setup) {
  const auto wrong_by_itself = [](const CaseRun& case_run) {
    return !case_run.before && !case_run.test.spec.faults.message_only && !is_right(case_run.observed, case_run.test);
  };
  if (std::ranges::any_of(case_runs, wrong_by_itself)) return;
  for (CaseRun& case_run : case_runs) {
    if (!case_run.before || is_right(case_run.observed, case_run.test)) continue;
    RunRequest request = run_again(case_run, setup);
    request.before = nullptr;
    const Observation alone = run(request);
    if (alone.end != RunEnd::over_budget) case_run.right_alone = is_right(alone, case_run.test);
  }
}

}  // namespace cudalabs
