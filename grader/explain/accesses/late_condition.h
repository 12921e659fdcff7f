// Accesses in the body of a `do` loop whose condition would have kept the thread out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// Of an access outside of an array in the body of a `do` loop of the kernel, or in a function that is called there:
/// where the thread's first value is past what the condition at the end of the loop holds it against, says so, and asks
/// for no sizes.
void show_late_conditions(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                          const SubmissionRun& submission_run);

}  // namespace cudalabs
