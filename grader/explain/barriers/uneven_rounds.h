// Barriers in loops that have more rounds for some threads of a block than for others.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// Of threads that wait at different barriers, or have exited without reaching one, where no condition is known to be
/// why: shows a loop around the barrier whose number of rounds, as its head says it, is not the same for all threads of
/// a block in any of the finding's cases. `source` is the text of `file`.
void show_uneven_rounds(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                        const SubmissionRun& submission_run);

}  // namespace cudalabs
