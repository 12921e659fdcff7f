// One grading from submission to report.
#pragma once

#include <functional>

#include "check/evidence.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/workplace.h"
#include "lab/lab.h"
#include "report/report.h"

namespace cudalabs {

/// Builds and runs the submission, lets the lab's Catch2 checks judge, and writes it all down. A failure of the
/// grader's own machinery is a report too: every check is an error and no point is earned.
/// `look` is shown all evidence, judged, unless the machinery failed.
/// Throws UsageError when the command asks for what this machine does not have. At most one call per process.
Report grade(
    const GradeCommand& command, const Lab& lab, const Submission& submission, Progress& progress,
    const std::function<void(const Evidence&)>& look = [](const Evidence&) {});

}  // namespace cudalabs
