// What a program keeps from one call of a function to the next.
#pragma once

#include <set>
#include <string_view>

namespace cudalabs {

/// The names of variables that are declared `static`, in a function or outside of all: "last" of
/// "static Shape last = {0, 0};". Not of functions, of constants, or of what is the device's. `code` has no comments.
std::set<std::string_view> static_variables(std::string_view code);

}  // namespace cudalabs
