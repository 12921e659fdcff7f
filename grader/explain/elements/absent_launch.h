// Outputs that nobody wrote, for the program launched no kernel.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// Says of missing elements that no kernel was launched in the case that is told, where that is so and no call failed;
/// and shows the condition, loop or jump that kept the program from the launch, where the text leaves no doubt.
/// `source` is the submission's text, `file` its name.
void explain_absent_launches(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                             const SubmissionRun& submission_run);

}  // namespace cudalabs
