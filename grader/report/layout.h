// Text laid out in columns.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cudalabs {

/// Breaks printable text at spaces into lines of at most `width` columns (and at its own line ends); a word that is
/// longer stays whole, because a path or a command that is broken cannot be copied, and so does code between backticks
/// that is no longer than half a line. Never empty.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

/// `text` cut to `columns`, with "..." where something is missing.
std::string shorten(std::string_view text, std::size_t columns);

/// At most `lines` lines of printable text, each at most `columns` wide; says what it left out. No line end at the end.
std::string excerpt(std::string_view text, std::size_t lines, std::size_t columns);

/// The rows that printable text takes on a terminal of `width` columns.
std::size_t rows_of(std::string_view text, std::size_t width);

/// Tabs as spaces up to the next multiple of four columns.
std::string expand_tabs(std::string_view line);

}  // namespace cudalabs
