// A warning of the compiler beside a finding that knows no cause.
#pragma once

#include <vector>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// Where the first finding is of a wrong output, whose values and places say nothing of the cause, and the compiler has
/// warned of one line only: shows that line with the finding, and what the compiler said of it. It may be the cause,
/// and is worth a look in any case.
void show_compiler_warning(std::vector<MergedFinding>& findings, const SubmissionRun& submission_run);

}  // namespace cudalabs
