// A submission on one case: built, run and judged; no points.
#pragma once

#include "check/submission_run.h"
#include "cli/options.h"
#include "datasets/dataset.h"
#include "grading/request.h"
#include "lab/lab.h"

namespace cudalabs {

/// With no case run where the submission does not compile. Shows progress on a terminal. Throws what building and
/// running throw.
SubmissionRun run_on(CaseRun prepared, const GradeCommand& command, const Lab& lab, const Submission& submission);

/// True when the run of the one case gave the right outputs and nothing was seen to be an error.
bool is_right(const SubmissionRun& submission_run);

/// `grade LAB --case NAME`: what the program printed in this case, all of it, what was found, and what is wrong with
/// each output. Returns the exit code. Throws UsageError when the lab has no such case.
int grade_case(const GradeCommand& command, const Lab& lab, const Submission& submission);

}  // namespace cudalabs
