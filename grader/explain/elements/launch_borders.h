// Elements that are missing where the parts of several launches meet.
#pragma once

#include <vector>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// Of an output with elements that nobody wrote, here and there, in a case in which the kernel was launched several
/// times: asks for the borders between the launches, and says so where there are as many gaps as borders.
void ask_for_launch_borders(std::vector<MergedFinding>& findings, const SubmissionRun& submission_run);

}  // namespace cudalabs
