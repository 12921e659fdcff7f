// Several launches of a kernel, each of which does a part of an output.
#pragma once

#include <string_view>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// Of elements that nobody wrote, where each launch stored all between its first and its last element, so that what is
/// missing lies between these parts or behind them: shows what the host computes a part's beginning or length from, and
/// says what the launches stored. Of rows that hold other rows' values, where that is so by launches: shows the launch,
/// whose pointers do not fit together. The same of other values that are right in what the first launch stored, and
/// wrong in nearly all that later ones did. Returns whether it is so.
bool explain_launch_parts(MergedFinding& finding, std::string_view source, const SubmissionRun& submission_run);

}  // namespace cudalabs
