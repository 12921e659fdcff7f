// Whether what goes wrong at the second of two calls does so for the first one.
#pragma once

#include <vector>

#include "check/submission_run.h"
#include "grading/audit.h"

namespace cudalabs {

/// Runs cases that are wrong after another one, which was right itself, once more with a single call; but only where no
/// case of a single call is wrong. Throws what run() throws.
void run_alone(std::vector<CaseRun>& case_runs, const AuditSetup& setup);

}  // namespace cudalabs
