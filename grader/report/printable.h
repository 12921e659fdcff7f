// Text that nobody trusts, made harmless: valid UTF-8 without anything that moves a cursor or reorders letters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cudalabs {

/// `text` with line ends (\n, and \r\n as \n) and tabs kept, and every other control character, byte that is not UTF-8,
/// noncharacter, and invisible or bidirectional formatting character as a visible escape: `\\x1b`, `\\u{202e}`.
std::string printable(std::string_view text);

/// The same on one line: line ends and tabs become spaces.
std::string printable_line(std::string_view text);

/// Whether all of `text` is well-formed UTF-8.
bool is_utf8(std::string_view text);

/// Columns that printable text takes on a terminal, one a code point (none for combining marks).
std::size_t display_width(std::string_view text);

/// The longest start of printable `text` that takes at most `columns` columns.
std::string_view fit(std::string_view text, std::size_t columns);

}  // namespace cudalabs
