// Lambdas of a source that have a name, read as text.
#pragma once

#include <string_view>
#include <vector>

#include "source/function_text.h"

namespace cudalabs {

/// "const auto add = [&](auto x) { ... };": its name is `add`. In their order, the first ones; lambdas that no variable
/// is set to, or that have no list of parameters, are none of them. `code` has no comments.
std::vector<FunctionBody> named_lambdas(std::string_view code);

}  // namespace cudalabs
