// Memory that is not freed on one of the ways out of a function.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"

namespace cudalabs {

/// Shows, beside memory that leaks only in cases in which a call is made to fail, the call that returned the error to
/// the function that had allocated it, or the `goto` that follows it, and says which `cudaFree` was not reached. Beside
/// memory that leaks where no call fails, shows the only `return`, or `goto`, that goes past its `cudaFree`. `source`
/// is the text of `file`.
void show_unfreed_ways_out(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                           const SubmissionRun& submission_run);

}  // namespace cudalabs
