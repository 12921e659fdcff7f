// The text of a program.
#pragma once

#include <string>
#include <string_view>

namespace cudalabs {

/// Each comment becomes a space; line ends, also those within comments, and string literals stay.
std::string without_comments(std::string_view code);

}  // namespace cudalabs
