// The functions of a source that one of them calls, directly or by way of others. Read as text.
#pragma once

#include <string_view>
#include <vector>

#include "source/function_text.h"

namespace cudalabs {

/// The definitions of that name, and all that these name, in the order of the text. What members of structures do
/// stays unseen. `code` has no comments.
std::vector<FunctionBody> functions_reached_from(std::string_view code, std::string_view name);

}  // namespace cudalabs
