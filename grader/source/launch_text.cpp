#include "source/launch_text.h"

#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {

std::optional<LaunchText> only_launch(std::string_view code, std::string_view kernel) {
  constexpr std::size_t kNowhereAtAll = std::string_view::npos;
  if (kernel.empty()) return std::nullopt;
  std::optional<LaunchText> found;
  for (std::size_t at = code.find("<<<"); at != kNowhereAtAll; at = code.find("<<<", at + 3)) {
    std::size_t name_end = at;
    if (const std::size_t last = before_spaces(code, at); last != kNowhereAtAll && code[last] == '>')
      name_end = code.rfind('<', last);
    const std::string_view name = word_before(code, name_end);
    if (name != kernel) continue;
    const std::size_t close = code.find(">>>", at);
    const std::size_t open = close == kNowhereAtAll ? kNowhereAtAll : past_spaces(code, close + 3);
    const std::size_t end =
        open == kNowhereAtAll || !code.substr(open).starts_with('(') ? kNowhereAtAll : past_bracket(code, open);
    if (end == kNowhereAtAll || found) return std::nullopt;
    const auto begin = static_cast<std::size_t>(name.data() - code.data());
    const std::size_t newline = code.substr(0, begin).rfind('\n');
    found = {line_at(code, begin), static_cast<std::uint32_t>(begin - (newline == kNowhereAtAll ? 0 : newline + 1)) + 1,
             code.substr(at + 3, close - at - 3), items_of(code.substr(open + 1, end - open - 2))};
  }
  return found;
}

}  // namespace cudalabs
