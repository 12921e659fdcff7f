// A shuffle that counts lanes in the whole warp, where the warp holds several rows of a block.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "check/merge.h"
#include "check/submission_run.h"
#include "source/setting_text.h"

namespace cudalabs {

/// The only `__shfl_sync` of the kernel that has no width, and whose lane is the counter of a loop around it.
std::optional<Setting> shuffle_by_counter(std::string_view source, std::string_view kernel);

/// Blames such a call for wrong values, where all launches of the kernel have blocks of several rows, each a part of a
/// warp. True where there is one.
bool show_shuffle_across_rows(MergedFinding& finding, std::string_view source, const SubmissionRun& submission_run);

}  // namespace cudalabs
