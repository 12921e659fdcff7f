// A launch after which the program asks, but a call that does not return the error of a launch.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"

namespace cudalabs {

/// Shows, beside a launch whose error nobody asks for, the call after it whose result the program does look at, such as
/// `cudaDeviceSynchronize`, and says that it does not return the error of a launch that was refused. A question before
/// the launch that a macro has together with it is shown in the macro. `source` is the text of `file`.
void show_unasked_errors(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                         const SubmissionRun& submission_run);

}  // namespace cudalabs
