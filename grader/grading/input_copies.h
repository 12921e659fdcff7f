// Where the copies stand that bring the wrong input to the device.
#pragma once

#include <vector>

#include "check/submission_run.h"
#include "grading/audit.h"

namespace cudalabs {

/// Of cases with wrong results, whose runs have recorded their copies, and in which the function is called once.
void find_repeated_copies(std::vector<CaseRun>& case_runs, const AuditSetup& setup);

}  // namespace cudalabs
