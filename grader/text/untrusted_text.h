// Text that nobody trusts, made harmless: valid UTF-8 without anything that moves a cursor or reorders letters. The one
// decoder of UTF-8, and the one rule of what is shown as it is, for diagnostics, reports and pages alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cudalabs {

/// The character at the start of a text, or the first byte of what is none.
struct CodePoint {
  std::uint32_t value = 0;
  std::size_t bytes = 1;
  bool valid = false;
};

/// Decodes the code point at the start of `text` (not empty) by the table of well-formed UTF-8 byte sequences of the
/// Unicode standard (section 3.9): no overlong forms, no surrogates, nothing above U+10FFFF.
CodePoint decode_utf8(std::string_view text);

/// `text` with line ends (\n, and \r\n as \n) and tabs kept, and every other control character, byte that is not UTF-8,
/// noncharacter, and invisible or bidirectional formatting character as a visible escape: `\\x1b`, `\\u{202e}`.
std::string printable(std::string_view text);

/// The same on one line: line ends and tabs become spaces.
std::string printable_line(std::string_view text);

/// Whether all of `text` is well-formed UTF-8.
bool is_utf8(std::string_view text);

}  // namespace cudalabs
