// One grading, from a submission to a report: builds it, runs it on the lab's cases, lets the lab's checks judge.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/proposed_change.h"
#include "check/submission_run.h"
#include "grading/request.h"
#include "report/report.h"

namespace cudalabs {

struct GradingResult {
  std::shared_ptr<const Lab> lab;  // as it was graded, with the submission's own cases
  Report report;                   // without next steps, which depend on how the grading was asked for
  std::optional<SubmissionRun>
      submission_run;  // all that was observed, judged; none when the grader's own machinery failed
  std::optional<ProposedChange> proposed = {};  // by the help of the finding that is told first, and not tried
  std::vector<std::string> failed_in = {};      // of the check that changes must make pass: names of cases
};

/// Grades a submission. May be called any number of times in a process, one after the other or from several threads:
/// what they have in common, the Catch2 session, they take turns at. A failure of the grader's own machinery is a
/// report too: every check is an error and no point is earned. Throws RequestError when the request asks for what this
/// machine does not have.
GradingResult grade(const GradingRequest& request);

/// Makes what all gradings of a lab share, for a process that forks them: each would make it for itself otherwise.
/// Throws what the lab's generator throws.
void prepare_gradings(const Lab& lab);

}  // namespace cudalabs
