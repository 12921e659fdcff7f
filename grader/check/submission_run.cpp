// The submission run of the grading in progress.
#include "check/submission_run.h"

#include <algorithm>
#include <stdexcept>

#include "check/session_state.h"

namespace cudalabs {
const Judgement& CaseRun::judged() const {
  if (!judgement) throw std::logic_error("a case was looked at before it was judged");
  return *judgement;
}

bool CaseRun::is_wrong() const {
  const Judgement& concluded = judged();
  return concluded.ending.has_value() || !concluded.mismatches.empty() ||
         std::ranges::find(concluded.device, Severity::error, &Finding::severity) != concluded.device.end();
}

bool SubmissionRun::all_right() const {
  return build.ok && case_runs.size() == lab->cases.size() && std::ranges::none_of(case_runs, &CaseRun::is_wrong);
}

std::vector<const CaseRun*> SubmissionRun::with_tag(std::string_view tag) const {
  std::vector<const CaseRun*> found;
  for (const CaseRun& case_run : case_runs) {
    if (std::ranges::find(case_run.test.spec.tags, tag) != case_run.test.spec.tags.end()) found.push_back(&case_run);
  }
  return found;
}

const SubmissionRun& submission_run() {
  if (session_state().submission_run == nullptr)
    throw std::logic_error("a check asked for a submission run, and there is none");
  return *session_state().submission_run;
}

void set_submission_run(const SubmissionRun* submission_run) {
  session_state().submission_run = submission_run;
}

}  // namespace cudalabs
