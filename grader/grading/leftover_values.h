// Asks of wrong results whether a variable of the device makes them, which keeps its value from launch to launch.
#pragma once

#include <vector>

#include "check/submission_run.h"
#include "grading/audit.h"

namespace cudalabs {

/// Runs cases once more that are wrong, and in which launches began with what others had left in a variable; each such
/// launch then finds the variable as it was at first. Where nothing else is wrong with the case, that is its cause, and
/// becomes a finding of it. No case more is run once one is wrong all the same. Throws what run() throws.
void find_leftover_values(std::vector<CaseRun>& case_runs, const AuditSetup& setup);

}  // namespace cudalabs
