// A wrong case once more, of which it is asked how often its kernels read each element of the inputs.
#pragma once

#include <vector>

#include "check/submission_run.h"
#include "grading/audit.h"
#include "vgpu/array_reads.h"

namespace cudalabs {

/// Of each input that lies in the device's memory, and is not too large; nothing where the case cannot be run again.
std::vector<vgpu::ArrayReads> reads_of(const CaseRun& case_run, const AuditSetup& setup);

/// Of the smallest case, if any one that is not hidden, in which a matrix product is all that is wrong, and of which no
/// explanation is sure: says so where the kernels read some of its elements more often than others, and that is why.
/// After judge(), whose findings it completes.
void count_product_reads(std::vector<CaseRun>& case_runs, const AuditSetup& setup);

}  // namespace cudalabs
