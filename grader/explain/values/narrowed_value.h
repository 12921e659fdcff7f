// A constant that its integer type cannot hold, on the way to a wrong output.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"

namespace cudalabs {

/// Of a wrong output as the first finding, of which nothing proves another cause and the lab is sure of none: shows the
/// constant where the line that stores depends on it, through variables of its function and constants of the source,
/// with what it becomes. False where there is none, or the finding shows something that says more.
bool show_narrowed_value(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
