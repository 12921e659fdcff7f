// Values that a variable of 8 or 16 bits has no room for, and the faults that follow from them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// Of findings that are seen just where some variable of the source is given more than its type has room for: shows
/// where that is, with the value before and after. What the variables are given is computed from their text, the sizes
/// of the cases and the launches. `source` is the submission's text, `file` its name.
void show_cut_values(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                     const SubmissionRun& submission_run);

}  // namespace cudalabs
