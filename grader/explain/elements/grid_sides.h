// A grid whose blocks are counted by the block's other side.
#pragma once

#include <string_view>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// Of elements that nobody wrote, where in all cases the kernel's grid has as many blocks along an axis as the output
/// divided by the block's side along the other axis, and not by its own: shows the line that makes the grid. Returns
/// whether it is so. Where it is not, and exchanged axes do not explain all cases of the finding, does not ask whether
/// the launch and the kernel agree on them.
bool explain_grid_sides(MergedFinding& finding, std::string_view source, const SubmissionRun& submission_run);

}  // namespace cudalabs
