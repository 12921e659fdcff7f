// A time that is asked for of an event that was created without one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// Of `cudaEventElapsedTime` that was refused: shows the call that created one of its events with
/// `cudaEventDisableTiming`, and says to leave that flag out. `source` is the text of `file`.
void show_untimed_events(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                         const SubmissionRun& submission_run);

}  // namespace cudalabs
