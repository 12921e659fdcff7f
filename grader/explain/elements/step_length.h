// Threads that go on by more than one round of all of them covers.
#pragma once

#include <string_view>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// Of elements that nobody wrote, where each thread does several in a loop: if the step of one loop around the store,
/// in the numbers of each launch, leaves out exactly the missing rows, columns or elements, in all cases, then that
/// loop and the line that sets its step are shown, with what a round covers. Returns whether it is so.
bool explain_step(MergedFinding& finding, std::string_view source, const SubmissionRun& submission_run);

}  // namespace cudalabs
