#include "patch/macro_definitions.h"

#include <algorithm>

#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs::patch {
namespace {

constexpr std::size_t kLongestDefinition = 300;

/// The names between the brackets, which end before `close`.
std::vector<std::string_view> names_between(std::string_view line, std::size_t open, std::size_t close) {
  std::vector<std::string_view> names;
  for (std::size_t at = open + 1; at < close;) {
    const std::size_t comma = std::min(line.find(',', at), close);
    names.push_back(without_outer_spaces(line.substr(at, comma - at)));
    at = comma + 1;
  }
  return names;
}

}  // namespace

std::vector<MacroDefinition> macro_definitions(std::string_view code) {
  constexpr std::string_view kDefine = "define";
  std::vector<MacroDefinition> found;
  std::uint32_t number = 0;
  for (const std::string_view line : text_lines(code)) {
    ++number;
    const std::size_t sign = past_spaces(line, 0);
    if (line.size() > kLongestDefinition || sign >= line.size() || line[sign] != '#' || line.ends_with('\\')) continue;
    const std::size_t word = past_spaces(line, sign + 1);
    if (!line.substr(std::min(word, line.size())).starts_with(kDefine)) continue;
    const std::size_t at = past_spaces(line, word + kDefine.size()), end = end_of_word(line, at);
    MacroDefinition macro;
    macro.name = line.substr(at, end - at);
    macro.line = number;
    std::size_t value = end;
    if (end < line.size() && line[end] == '(') {
      const std::size_t close = line.find(')', end);
      if (close == std::string_view::npos) continue;
      macro.parameters = names_between(line, end, close);
      value = close + 1;
    }
    value = past_spaces(line, value);
    if (macro.name.empty() || value >= line.size()) continue;
    macro.value = without_outer_spaces(line.substr(value));
    macro.begin = static_cast<std::size_t>(line.data() - code.data()) + value;
    if (!macro.value.empty()) found.push_back(std::move(macro));
  }
  return found;
}

}  // namespace cudalabs::patch
