// Asks of a wrong sum how often each element of the input is in it.
#pragma once

#include <span>
#include <vector>

#include "check/submission_run.h"
#include "grading/audit.h"
#include "lab/lab.h"

namespace cudalabs {

/// Of each output that is a sum, and the smallest case in which such sums are all that is wrong, of which no
/// explanation is sure: runs it once more on inputs of zeros and a few other numbers, chosen so that each digit of the
/// sum tells of other elements, and says what the counts show. Nothing is said where the sum is not that of the counted
/// elements, as where values are changed on their way. After judge(), whose findings it completes.
void count_elements(std::vector<CaseRun>& case_runs, std::span<const Explanation> explanations,
                    const AuditSetup& setup);

}  // namespace cudalabs
