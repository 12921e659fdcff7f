// Text that nobody trusts, made harmless.
#include "report/printable.h"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>

namespace cudalabs {
namespace {

struct CodePoint {
  std::uint32_t value = 0;
  std::size_t bytes = 1;
  bool valid = false;
};

/// Decodes the code point at the start of `text` (not empty) by the table of well-formed UTF-8 byte sequences of the
/// Unicode standard (section 3.9): no overlong forms, no surrogates, nothing above U+10FFFF.
CodePoint decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {lead, 1, false};
  std::uint32_t value = lead & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {lead, 1, false};
    value = value << 6 | (byte(i) & 0x3Fu);
  }
  const bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (overlong || surrogate || value > 0x10FFFF) return {lead, 1, false};
  return {value, length, true};
}

/// Characters that are valid and still nothing to show: they steer a terminal, hide, or turn the reading direction.
bool is_unsafe(std::uint32_t c) {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0xAD || c == 0x61C || c == 0x180E ||
         (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF ||
         (c >= 0xFFF0 && c <= 0xFFFB) || (c >= 0xFDD0 && c <= 0xFDEF) || (c & 0xFFFE) == 0xFFFE ||
         (c >= 0xE0000 && c <= 0xE0FFF);
}

bool is_combining(std::uint32_t c) {
  return (c >= 0x300 && c <= 0x36F) || (c >= 0x1AB0 && c <= 0x1AFF) || (c >= 0x1DC0 && c <= 0x1DFF) ||
         (c >= 0x20D0 && c <= 0x20FF) || (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0xFE20 && c <= 0xFE2F);
}

void append_escape(std::string& out, const CodePoint& point) {
  if (!point.valid || point.value < 0x80) {
    fmt::format_to(std::back_inserter(out), "\\x{:02x}", point.value);
  } else {
    fmt::format_to(std::back_inserter(out), "\\u{{{:x}}}", point.value);
  }
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const CodePoint point = decode(text);
    if (text.starts_with("\r\n")) {
      // The \n that follows says it.
    } else if (point.valid && (point.value == '\n' || point.value == '\t' || !is_unsafe(point.value))) {
      out.append(text.substr(0, point.bytes));
    } else {
      append_escape(out, point);
    }
    text.remove_prefix(point.bytes);
  }
  return out;
}

std::string printable_line(std::string_view text) {
  std::string line = printable(text);
  for (char& c : line) {
    if (c == '\n' || c == '\t') c = ' ';
  }
  return line;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const CodePoint point = decode(text);
    if (!point.valid) return false;
    text.remove_prefix(point.bytes);
  }
  return true;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const CodePoint point = decode(text);
    if (!is_combining(point.value)) ++width;
    text.remove_prefix(point.bytes);
  }
  return width;
}

std::string_view fit(std::string_view text, std::size_t columns) {
  std::size_t width = 0, bytes = 0;
  while (bytes < text.size()) {
    const CodePoint point = decode(text.substr(bytes));
    if (!is_combining(point.value) && ++width > columns) break;
    bytes += point.bytes;
  }
  return text.substr(0, bytes);
}

}  // namespace cudalabs
