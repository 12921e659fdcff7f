// Looks at copies of cases that are wrong, and gives the one that is to blame its line.
#include "grading/input_copies.h"

#include "check/judge.h"
#include "datasets/host_arrays.h"
#include "run/run.h"

namespace cudalabs {

void find_repeated_copies(std::vector<CaseRun>& case_runs, const AuditSetup& setup) {
  if (datasets::host_arrays_of(setup.lab->generator) == nullptr) return;
  for (CaseRun& case_run : case_runs) {
    const bool wrong = case_run.observed.end == RunEnd::finished && !case_run.before &&
                       !case_run.test.spec.faults.any() && !gives_right_outputs(case_run.observed, case_run.test);
    if (!wrong) continue;
    case_run.repeated = repeated_copy(case_run.test, case_run.observed.transfers);
    if (!case_run.repeated) continue;
    RunRequest request;
    request.program = setup.lab;
    request.runner = setup.runner;
    request.source = setup.source;
    request.test = &case_run.test;
    request.lines = setup.lines;
    Finding finding;
    place_at_call(finding, case_run.repeated->call, request);
    case_run.repeated->where = finding.where;
  }
}

}  // namespace cudalabs
