// Launches without blocks for a number of elements, or of pairs of them, that a division has rounded down to 0.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// Of grids without blocks whose number of blocks is rounded up: shows the division that the count comes from,
/// "pairs = n / 2", where it is 0 in all cases of the finding, of a size that is not. `source` is the text of `file`.
void show_dropped_counts(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                         const SubmissionRun& submission_run);

}  // namespace cudalabs
