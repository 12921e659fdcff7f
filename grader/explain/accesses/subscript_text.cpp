#include "explain/accesses/subscript_text.h"

#include <cstddef>

#include "text/code_scan.h"

namespace cudalabs {
namespace {

constexpr std::size_t kLongestSubscriptLine = 500;

}  // namespace

std::string_view subscript_at(std::string_view line, std::uint32_t column) {
  if (column == 0 || column > line.size() || line.size() > kLongestSubscriptLine) return {};
  std::size_t open = kNowhere;
  if (is_word_letter(line[column - 1])) {
    open = past_spaces(line, end_of_word(line, column - 1));
  } else if (line[column - 1] == '=') {
    const std::size_t close = before_spaces(line, column - 1);
    int depth = 0;
    for (std::size_t at = close; close != kNowhere && line[close] == ']'; --at) {
      depth += line[at] == ']' ? 1 : line[at] == '[' ? -1 : 0;
      if (depth == 0) open = at;
      if (depth == 0 || at == 0) break;
    }
  }
  if (open == kNowhere || open >= line.size() || line[open] != '[') return {};
  const std::size_t end = past_bracket(line, open);
  return end == kNowhere ? std::string_view() : line.substr(open + 1, end - open - 2);
}

}  // namespace cudalabs
