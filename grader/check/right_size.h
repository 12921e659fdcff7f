// Memory that is allocated as large as an array of the case: accesses past its end go too far, whatever factor they go.
#pragma once

#include <vector>

#include "check/submission_run.h"
#include "vgpu/finding.h"

namespace cudalabs {

/// Of accesses whose allocation is blamed, since they need as many times more as an element has bytes: where the
/// allocation is just as large as one of the arrays that the function is called with, blames the access. So one that
/// counts elements in the place of bytes stays to blame.
void blame_access(std::vector<Finding>& findings, const CaseRun& case_run);

}  // namespace cudalabs
