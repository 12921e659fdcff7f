// Looks for small changes of a submission that make its wrong results right.
#pragma once

#include <vector>

#include "check/submission_run.h"
#include "explain/repairs/repair.h"
#include "grading/audit.h"

namespace cudalabs {

/// Of the changes that vgpu::Mutant makes, those with which small cases become right whose results are all that is
/// wrong with them, and right ones stay so. None where there is no such case. After judge(). Runs some cases again.
Repairs find_repairs(const std::vector<CaseRun>& case_runs, RepairEffort effort, const AuditSetup& setup);

}  // namespace cudalabs
