// The element in the middle of an odd number of elements, which no thread does.
#pragma once

#include <string>
#include <string_view>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// Of a finding of elements that nobody wrote: says so where that one is missing, and nothing else, in cases of several
/// sizes. A finding without a line gets the only one of `file` that compares something with half of a number.
void explain_missed_middle(MergedFinding& finding, std::string_view source, const std::string& file,
                           const SubmissionRun& submission_run);

}  // namespace cudalabs
