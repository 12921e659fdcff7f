// A failure that the program is told of, and goes on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"

namespace cudalabs {

/// Of an output that was written although a call had failed, placed at the call that returned the error: where the
/// statement does not use what that call returns, or what a function of the source returns that gets it, says so.
/// `source` is the text of `file`.
void show_dropped_answers(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
