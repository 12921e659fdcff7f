// Several launches of a kernel, each of which does some columns of an output.
#pragma once

#include <string_view>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// Of elements that nobody wrote, where each launch stored all of a rectangle of rows and columns, and what is missing
/// are whole columns that no launch has, though the launches have threads for all that they are given: says which
/// columns the launches stored. Where a function with the launch calls itself for two parts, of which both take the
/// same, shows the call of the second, which had to take what is left. Returns whether it is so.
bool explain_column_parts(MergedFinding& finding, std::string_view source, const SubmissionRun& submission_run);

}  // namespace cudalabs
