// Where the variables are set that a finding's statement depends on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "check/submission_run.h"
#include "source/setting_text.h"

namespace cudalabs {

/// Gives findings whose statement stores the wrong value, misses elements or launches too few threads a second place:
/// where the variables of that statement are set, or, of elements that are missed although no two threads store to the
/// same one, where they are asked for. Wrong answers to questions get the place of the answer, and outputs that
/// the host computes the place where it stores to them. `source` is the submission's text, `file` its name.
void show_settings(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                   const SubmissionRun& submission_run);

}  // namespace cudalabs
