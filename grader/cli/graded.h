// A grading as a command line asks for it: with progress on the terminal, and what to do next in the report.
#pragma once

#include "cli/options.h"
#include "cli/requested_artifacts.h"
#include "grading/request.h"
#include "lab/lab.h"
#include "report/report.h"

namespace cudalabs {

/// `artifacts`, if any, takes what it wants of the submission run. Throws what grade() throws.
Report graded(const GradeCommand& command, const Lab& lab, const Submission& submission,
              RequestedArtifacts* looks = nullptr);

}  // namespace cudalabs
