// How much room text takes on a terminal.
#include "report/printable.h"

#include <cstdint>

namespace cudalabs {
namespace {

bool is_combining(std::uint32_t c) {
  return (c >= 0x300 && c <= 0x36F) || (c >= 0x1AB0 && c <= 0x1AFF) || (c >= 0x1DC0 && c <= 0x1DFF) ||
         (c >= 0x20D0 && c <= 0x20FF) || (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0xFE20 && c <= 0xFE2F);
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const CodePoint point = decode_utf8(text);
    if (!is_combining(point.value)) ++width;
    text.remove_prefix(point.bytes);
  }
  return width;
}

std::string_view fit(std::string_view text, std::size_t columns) {
  std::size_t width = 0, bytes = 0;
  while (bytes < text.size()) {
    const CodePoint point = decode_utf8(text.substr(bytes));
    if (!is_combining(point.value) && ++width > columns) break;
    bytes += point.bytes;
  }
  return text.substr(0, bytes);
}

}  // namespace cudalabs
