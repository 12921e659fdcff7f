// A case once more, to find out what its first run leaves open.
#pragma once

#include <vector>

#include "check/submission_run.h"
#include "grading/audit.h"
#include "run/run.h"

namespace cudalabs {

/// The request that runs the case again, in processes of its own, as it ran before.
RunRequest run_again(const CaseRun& case_run, const AuditSetup& setup);

bool has_error(const std::vector<Finding>& findings);

/// Outputs as they should be, and no error.
bool is_right(const Observation& observed, const datasets::Case& test);

}  // namespace cudalabs
