#include "source/misleading_indent.h"

#include <vector>

#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

std::string_view indent_of(std::string_view line) {
  return line.substr(0, past_spaces(line, 0));
}

bool is_blank(std::string_view line) {
  return past_spaces(line, 0) >= line.size();
}

std::string_view first_word(std::string_view line) {
  const std::size_t begin = past_spaces(line, 0);
  return line.substr(begin, end_of_word(line, begin) - begin);
}

bool is_head(std::string_view word) {
  return word == "for" || word == "while" || word == "if";
}

/// "for (...)" with nothing behind it.
bool is_bare_head(std::string_view line) {
  if (!is_head(first_word(line))) return false;
  const std::size_t open = line.find('('), last = before_spaces(line, line.size());
  return open != kNowhere && past_bracket(line, open) == last + 1;
}

bool is_whole_statement(std::string_view line) {
  const std::size_t last = before_spaces(line, line.size());
  return last != kNowhere && line[last] == ';' && !is_head(first_word(line)) && first_word(line) != "do";
}

/// Not the end of a block, another arm, a label or a directive.
bool begins_statement(std::string_view line) {
  const std::string_view word = first_word(line);
  return !word.empty() && word != "else" && word != "case" && word != "default";
}

/// The next line that is not blank.
std::size_t next_line(const std::vector<std::string_view>& lines, std::size_t after) {
  std::size_t next = after + 1;
  while (next < lines.size() && is_blank(lines[next])) ++next;
  return next;
}

}  // namespace

std::optional<MisleadingIndent> misleading_indent(std::string_view source) {
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  std::optional<MisleadingIndent> found;
  for (std::size_t head = 0; head < lines.size(); ++head) {
    if (!is_bare_head(lines[head])) continue;
    const std::size_t body = next_line(lines, head), next = next_line(lines, body);
    if (next >= lines.size() || !is_whole_statement(lines[body]) || !begins_statement(lines[next])) continue;
    const std::string_view indent = indent_of(lines[body]);
    const bool deeper = indent.size() > indent_of(lines[head]).size() && indent.starts_with(indent_of(lines[head]));
    if (!deeper || indent_of(lines[next]) != indent) continue;
    if (found) return std::nullopt;
    found = MisleadingIndent{static_cast<std::uint32_t>(next) + 1, static_cast<std::uint32_t>(indent.size()) + 1,
                             static_cast<std::uint32_t>(head) + 1, static_cast<std::uint32_t>(body) + 1,
                             std::string(first_word(lines[head]))};
  }
  return found;
}

}  // namespace cudalabs
