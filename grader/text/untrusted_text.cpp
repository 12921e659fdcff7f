// Text that nobody trusts, made harmless.
#include "text/untrusted_text.h"

#include <fmt/format.h>

#include <iterator>

namespace cudalabs {
namespace {

/// Characters that are valid and still nothing to show: they steer a terminal, hide, or turn the reading direction.
bool is_unsafe(std::uint32_t c) {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0xAD || c == 0x61C || c == 0x180E ||
         (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF ||
         (c >= 0xFFF0 && c <= 0xFFFB) || (c >= 0xFDD0 && c <= 0xFDEF) || (c & 0xFFFE) == 0xFFFE ||
         (c >= 0xE0000 && c <= 0xE0FFF);
}

void append_escape(std::string& out, const CodePoint& point) {
  if (!point.valid || point.value < 0x80) {
    fmt::format_to(std::back_inserter(out), "\\x{:02x}", point.value);
  } else {
    fmt::format_to(std::back_inserter(out), "\\u{{{:x}}}", point.value);
  }
}

}  // namespace

CodePoint decode_utf8(std::string_view text) {
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

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const CodePoint point = decode_utf8(text);
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
    const CodePoint point = decode_utf8(text);
    if (!point.valid) return false;
    text.remove_prefix(point.bytes);
  }
  return true;
}

}  // namespace cudalabs
