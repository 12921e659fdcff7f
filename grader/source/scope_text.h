// Where the names of a function's variables may be used. Read as text.
#pragma once

#include <cstdint>
#include <string_view>

namespace cudalabs {

/// Whether the function around `line` has the name in its parameters, or before that line in a block that is still open
/// there; what the head of a loop declares is for the loop alone. `code` has no comments.
bool is_in_scope(std::string_view code, std::string_view name, std::uint32_t line);

}  // namespace cudalabs
