// The choice `condition ? value : other` that an expression stands in, read as text.
#pragma once

#include <cstddef>
#include <string_view>

namespace cudalabs {

/// The condition of the innermost choice in the line whose first value has the place, without brackets around it;
/// empty: the place is in none, or the line is long. `line` has no comments.
std::string_view choice_around(std::string_view line, std::size_t place);

}  // namespace cudalabs
