#include "source/launch_text.h"

#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// The kernel's name before the "<<<" at `at`.
std::string_view kernel_before(std::string_view code, std::size_t at) {
  std::size_t name_end = at;
  if (const std::size_t last = before_spaces(code, at); last != kNowhere && code[last] == '>')
    name_end = code.rfind('<', last);
  return word_before(code, name_end);
}

/// Nothing where a bracket is missing.
std::optional<LaunchText> launch_at(std::string_view code, std::size_t at, std::string_view name) {
  const std::size_t close = code.find(">>>", at);
  const std::size_t open = close == kNowhere ? kNowhere : past_spaces(code, close + 3);
  const std::size_t end = open == kNowhere || !code.substr(open).starts_with('(') ? kNowhere : past_bracket(code, open);
  if (end == kNowhere) return std::nullopt;
  const auto begin = static_cast<std::size_t>(name.data() - code.data());
  const std::size_t newline = code.substr(0, begin).rfind('\n');
  return LaunchText{line_at(code, begin),
                    static_cast<std::uint32_t>(begin - (newline == kNowhere ? 0 : newline + 1)) + 1,
                    code.substr(at + 3, close - at - 3), items_of(code.substr(open + 1, end - open - 2))};
}

}  // namespace

std::optional<LaunchText> only_launch(std::string_view code, std::string_view kernel) {
  if (kernel.empty()) return std::nullopt;
  std::optional<LaunchText> found;
  for (std::size_t at = code.find("<<<"); at != kNowhere; at = code.find("<<<", at + 3)) {
    const std::string_view name = kernel_before(code, at);
    if (name != kernel) continue;
    auto launch = launch_at(code, at, name);
    if (!launch || found) return std::nullopt;
    found = std::move(launch);
  }
  return found;
}

std::optional<LaunchText> launch_in_line(std::string_view code, std::uint32_t line) {
  const std::vector<std::string_view> lines = text_lines(code);
  if (line == 0 || line > lines.size()) return std::nullopt;
  const std::size_t sign = lines[line - 1].find("<<<");
  if (sign == kNowhere || lines[line - 1].find("<<<", sign + 3) != kNowhere) return std::nullopt;
  const std::size_t at = static_cast<std::size_t>(lines[line - 1].data() - code.data()) + sign;
  const std::string_view name = kernel_before(code, at);
  return name.empty() ? std::nullopt : launch_at(code, at, name);
}

}  // namespace cudalabs
