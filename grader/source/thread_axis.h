// Which axes of a launch a variable of a kernel is computed from, read as text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cudalabs {

/// The letters of the axes, "x", "y", "xy": of `threadIdx`, `blockIdx`, `blockDim` and `gridDim` in what gives `name`
/// its value, in the function that `line` is in and up to the end of that line, by way of other variables, too. Empty:
/// the text names none. `code` has no comments.
std::string axes_of_variable(std::string_view code, std::uint32_t line, std::string_view name);

}  // namespace cudalabs
