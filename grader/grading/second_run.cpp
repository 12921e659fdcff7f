#include "grading/second_run.h"

#include <algorithm>

#include "check/judge.h"

namespace cudalabs {

RunRequest run_again(const CaseRun& case_run, const AuditSetup& setup) {
  RunRequest request;
  request.program = setup.lab;
  request.runner = setup.runner;
  request.source = setup.source;
  request.test = &case_run.test;
  request.before = case_run.before ? &*case_run.before : nullptr;
  request.budget = setup.budget;
  request.host = setup.host;
  request.lines = setup.lines;
  return request;
}

bool has_error(const std::vector<Finding>& findings) {
  return std::ranges::find(findings, Severity::error, &Finding::severity) != findings.end();
}

bool is_right(const Observation& observed, const datasets::Case& test) {
  return gives_right_outputs(observed, test) && !has_error(observed.findings);
}

}  // namespace cudalabs
