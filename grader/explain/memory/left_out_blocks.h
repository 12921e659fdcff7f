// Elements that nobody has written since whole blocks of an earlier launch have stored nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// Of reads behind all that was written to an array: where some kernel stores to an array only in blocks for which a
/// condition on `blockIdx` along one axis holds, and the written part of what is read is that of some of its blocks
/// along this axis, shows the condition. `source` is the text of `file`.
void show_left_out_blocks(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                          const SubmissionRun& submission_run);

}  // namespace cudalabs
