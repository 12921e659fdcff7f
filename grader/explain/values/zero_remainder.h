// A loop to a remainder that is 0 where something is wrong.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// Where wrong values come of a kernel with a loop to `x % T`, or to a variable that is set to it, and that is 0 in all
/// cases of the finding and in none that is right: shows it, with its value, and the loop.
void show_zero_remainders(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                          const SubmissionRun& submission_run);

}  // namespace cudalabs
