#include "check/sum_line.h"

#include <algorithm>
#include <string>
#include <vector>

#include "check/cause_line.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// The line, from 1, that ends the function before `line`; 0: there is none.
std::uint32_t function_before(std::string_view source, std::uint32_t line) {
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  for (std::size_t i = std::min<std::size_t>(line, lines.size()); i-- > 0;) {
    if (lines[i].starts_with('}') && i + 1 < line) return static_cast<std::uint32_t>(i) + 1;
  }
  return 0;
}

}  // namespace

std::optional<Setting> beginning_of_sum(std::string_view source, std::uint32_t line, std::uint32_t column) {
  const auto sum = setting_of(source, line, column, Part::value);
  if (!sum) return std::nullopt;
  return restart_of(source, sum->names, sum->line, function_before(source, sum->line));
}

std::optional<Setting> only_float_declaration(std::string_view source) {
  const std::string code = without_comments(source);
  const std::vector<BodyPlace> bodies = body_places(code);
  std::optional<Setting> found;
  bool several = false;
  for_each_name(code, [&](std::size_t at, std::string_view name) {
    if (name != "float" || !bodies[at].device) return;
    // "float s[", not "(float)x" and "static_cast<float>".
    const std::size_t next = past_spaces(code, at + name.size());
    if (next >= code.size() || !is_word_letter(code[next])) return;
    const std::string_view before = std::string_view(code).substr(0, at);
    const auto line = static_cast<std::uint32_t>(std::ranges::count(before, '\n')) + 1;
    several = several || (found && found->line != line);
    if (!found) found = {{"float"}, line, static_cast<std::uint32_t>(at - (before.rfind('\n') + 1)) + 1};
  });
  return several ? std::nullopt : found;
}

}  // namespace cudalabs
