// A null pointer that is right: that of an array without elements.
#pragma once

#include <vector>

#include "check/merge.h"

namespace cudalabs {

/// Of reads through a null pointer that are seen only in cases in which an input has no elements: says so, in the place
/// of advice about allocations.
void explain_empty_inputs(std::vector<MergedFinding>& findings, const SubmissionRun& submission_run);

}  // namespace cudalabs
