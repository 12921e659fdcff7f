// Launches that only a macro or a function checks which does nothing in this build.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"

namespace cudalabs {

/// Of a launch that nobody asks about: where the next statement is a macro of the file that has two definitions, and
/// only the one under an `#if` asks for the error, shows that `#if`. Likewise where it calls a function, or is a macro
/// for that, which asks only under an `#if`. `source` is the text of `file`.
void show_left_out_checks(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
