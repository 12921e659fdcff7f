// Blocks that begin too near to each other, so that elements are done twice and the last ones never.
#pragma once

#include <string_view>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// Of a finding of elements, or of whole rows, that nobody wrote: whether that is why, by the launches of all cases;
/// then it says so.
bool explain_overlapping_blocks(MergedFinding& finding, std::string_view source, const SubmissionRun& submission_run);

}  // namespace cudalabs
