// Threads that go on along another axis of the launch than they begin on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// Of elements that are missing or wrong, also at the size at which speed is measured, or that several threads take:
/// shows the word in the step of a loop that belongs to another axis than the loop's first value, or `gridDim` along
/// one axis times `blockDim` along another one, where a launch of the kernel had different extents along the two.
/// `source` is the text of `file`.
void show_crossed_axes(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                       const SubmissionRun& submission_run);

}  // namespace cudalabs
