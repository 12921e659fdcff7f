// Macros that make a runtime call of their argument more than once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"

namespace cudalabs {

/// Of an output that was written although a call had failed, at the call that returned the error: where that call is
/// the argument of a macro whose value has it more than once, shows the macro, and says what the second call returns.
/// `source` is the text of `file`.
void show_repeated_arguments(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
