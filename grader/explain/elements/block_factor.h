// Elements that no thread stores, against what the index multiplies the block's number by.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"

namespace cudalabs {

/// Of missing elements for which there were threads enough: where a line that the finding shows multiplies the block's
/// number by a constant, and that is not what a block of the launch has, or is the distance from one gap to the next,
/// says both numbers. Of blocks with several rows along one axis, shows the line that counts one row for each block
/// before. Does not ask for the block's number where it is there. `source` is the text of `file`.
void explain_block_factors(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                           const SubmissionRun& submission_run);

}  // namespace cudalabs
