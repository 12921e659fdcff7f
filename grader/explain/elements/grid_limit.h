// A number of blocks that the source limits, although no thread goes on to what is left.
#pragma once

#include <string>
#include <string_view>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// Of elements that no thread stores because the launch has too few threads: shows the only line that limits the number
/// of blocks to what all these launches have along an axis, and no other one exceeds. True: there is one. `source` is
/// the text of the finding's file.
bool show_grid_limit(MergedFinding& finding, std::string_view source, const SubmissionRun& submission_run);

}  // namespace cudalabs
