// Launches that give the block where the grid belongs, and the other way round: `<<<block, grid>>>`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// "block" of `<<<block, grid>>>`, by its last name, as the second is called after the grid: "over.block",
/// "threadsPerBlock", "shape.block()".
bool is_named_after_block(std::string_view expression);
bool is_named_after_grid(std::string_view expression);

/// Of launches that were refused, and not for their grid: the names say so, or the grid is the same in all cases, and
/// as large as a block, while the block is not. Proposes to exchange the two.
void show_exchanged_launches(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                             const SubmissionRun& submission_run);

}  // namespace cudalabs
