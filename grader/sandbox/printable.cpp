// Decodes UTF-8 strictly (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF).
#include "sandbox/printable.h"

#include <array>
#include <cstdint>

namespace cudalabs::sandbox {
namespace {

/// Length of the well-formed sequence at the front of `bytes`; 0 when there is none. `point` gets its code point.
std::size_t sequence_length(std::string_view bytes, std::uint32_t& point) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(bytes[i]); };
  const std::uint8_t first = byte(0);
  std::size_t length = 0;
  std::uint32_t least = 0;
  if (first < 0x80) {
    point = first;
    return 1;
  }
  if ((first & 0xe0) == 0xc0) {
    length = 2, least = 0x80, point = first & 0x1fu;
  } else if ((first & 0xf0) == 0xe0) {
    length = 3, least = 0x800, point = first & 0x0fu;
  } else if ((first & 0xf8) == 0xf0) {
    length = 4, least = 0x10000, point = first & 0x07u;
  }
  if (length == 0 || bytes.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    point = point << 6 | (byte(i) & 0x3fu);
  }
  const bool surrogate = point >= 0xd800 && point <= 0xdfff;
  return point < least || point > 0x10ffff || surrogate ? 0 : length;
}

/// C0 and C1 controls, and the marks that reorder text on the screen.
bool drives_terminal(std::uint32_t point) {
  return point < 0x20 || (point >= 0x7f && point < 0xa0) || (point >= 0x202a && point <= 0x202e) ||
         (point >= 0x2066 && point <= 0x2069) || point == 0x200e || point == 0x200f;
}

void append_escape(std::string& text, std::uint32_t point) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  text += point < 0x100 ? "\\x" : "\\u";
  for (int shift = point < 0x100 ? 4 : 12; shift >= 0; shift -= 4) text += kDigits[point >> shift & 0xf];
}

}  // namespace

std::string printable(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    std::uint32_t point = 0;
    const std::size_t length = sequence_length(bytes, point);
    if (length == 0) {
      text += "\xef\xbf\xbd";
      bytes.remove_prefix(1);
      continue;
    }
    const bool line_end = point == '\r' && bytes.size() > 1 && bytes[1] == '\n';
    if (point == '\n' || point == '\t' || !drives_terminal(point)) {
      text += bytes.substr(0, length);
    } else if (!line_end) {
      append_escape(text, point);
    }
    bytes.remove_prefix(length);
  }
  return text;
}

}  // namespace cudalabs::sandbox
