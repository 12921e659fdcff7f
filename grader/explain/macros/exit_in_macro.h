// A program that ends itself by a macro of its own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"

namespace cudalabs {

/// Shows, beside the line at which a program ended, the line of a macro's definition that calls `exit` or the like,
/// where the line that ended it uses that macro. `source` is the text of `file`.
void show_exits_in_macros(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
