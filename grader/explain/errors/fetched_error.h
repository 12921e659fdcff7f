// An error that `cudaGetLastError` has returned and cleared before the program asks for it where it counts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// Of an output that was written although a launch had failed: places it at the second question for the error, which
/// returned `cudaSuccess` since another line had fetched the error, if the program uses what it returned. Where both
/// questions are in one line, says that the first has cleared it. Not of a question that gives a message its words
/// alone.
void show_fetched_errors(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                         const SubmissionRun& submission_run);

}  // namespace cudalabs
