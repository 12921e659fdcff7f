// A kernel that counts a row in pieces of several columns, and is launched for rows that have more than whole pieces.
#pragma once

#include <string_view>

#include "check/merge.h"
#include "check/submission_run.h"
#include "source/rounded_count.h"

namespace cudalabs {

/// Of elements that nobody wrote, where the end of what the kernel works on comes from `division`: whether that drops
/// as many columns of each row as are missing at the end of the output, in each case. Says so then, and names the
/// condition that the launch is under. `source` is the text of the finding's file.
bool show_dropped_columns(MergedFinding& finding, std::string_view source, const Division& division,
                          const SubmissionRun& submission_run);

}  // namespace cudalabs
