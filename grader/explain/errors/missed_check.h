// Launches of which a function asks only on some of its ways.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"

namespace cudalabs {

/// Of a launch that nobody asks about: where a later line of the function asks, and a `return` or another jump comes
/// before it, shows the jump, and says so. `source` is the text of `file`.
void show_missed_checks(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
