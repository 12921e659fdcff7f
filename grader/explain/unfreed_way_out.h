// Memory that is not freed where a function returns because a call has failed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"

namespace cudalabs {

/// Shows, beside memory that leaks only in cases in which a call is made to fail, the call that returned the error to
/// the function that had allocated it, and says which `cudaFree` was not reached. `source` is the text of `file`.
void show_unfreed_ways_out(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                           const SubmissionRun& submission_run);

}  // namespace cudalabs
