// Accesses past the end of an array in whose rows the line counts rightly, where a row or column is made of a `float`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// Of such an access: shows the line before it that makes a whole number of a `float`, in the place of a question for
/// the length of a row, which is that of the array. `source` is the text of `file`.
void show_float_indices(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                        const SubmissionRun& submission_run);

}  // namespace cudalabs
