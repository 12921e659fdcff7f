// The text of a program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cudalabs {

/// Each comment becomes a space; line ends, also those within comments, and literals stay.
std::string without_comments(std::string_view code);

/// Its lines, without their ends.
std::vector<std::string_view> text_lines(std::string_view text);

}  // namespace cudalabs
