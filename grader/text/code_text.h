// The text of a program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cudalabs {

/// Each comment becomes a space; line ends, also those within comments, and literals stay.
std::string without_comments(std::string_view code);

/// Its lines, without their ends.
std::vector<std::string_view> text_lines(std::string_view text);

/// The line, from 1, that has the place.
std::uint32_t line_at(std::string_view text, std::size_t place);

/// Where the text has that line and column, both from 1; of an unknown column, 0, or one behind the line, where the
/// line has its first letter. npos: it has no such line.
std::size_t place_of_line(std::string_view text, std::uint32_t line, std::uint32_t column);

/// The line, from 1, that ends the function before `line`: the last before it that begins with a brace. 0: there is
/// none.
std::uint32_t end_of_function_before(const std::vector<std::string_view>& lines, std::uint32_t line);

}  // namespace cudalabs
