// Sums that stop as if another size was the inner dimension, in a loop that goes by the inner dimension.
#pragma once

#include <string_view>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// Where the line that such sums are blamed on has the inner dimension, n, in the condition of its loop, or is no loop
/// and computes with n: does not ask for it, but for what else ends the sums. Returns whether it is so.
bool show_inner_bound(MergedFinding& finding, std::string_view source, const SubmissionRun& submission_run);

}  // namespace cudalabs
