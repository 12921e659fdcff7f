#include "source/condition_text.h"

#include <algorithm>
#include <array>

#include "source/statement_ends.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// "[&](int i) {", "[] {": a `return` in it ends that function alone. A subscript has a name or a bracket before it.
bool begins_lambda(std::string_view code, std::size_t at) {
  if (code[at] != '[') return false;
  const std::size_t before = before_spaces(code, at);
  return before == kNowhere || !(is_word_letter(code[before]) || code[before] == ')' || code[before] == ']');
}

}  // namespace

std::vector<std::string_view> parts_of_condition(std::string_view condition, std::string_view sign) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < condition.size(); ++at) {
    depth += condition[at] == '(' || condition[at] == '[' ? 1 : condition[at] == ')' || condition[at] == ']' ? -1 : 0;
    if (depth != 0 || !condition.substr(at).starts_with(sign)) continue;
    parts.push_back(condition.substr(begin, at - begin));
    begin = at + sign.size();
    ++at;
  }
  parts.push_back(condition.substr(begin));
  return parts;
}

std::vector<ConditionText> conditions_of(std::string_view code) {
  std::vector<ConditionText> conditions;
  const StatementEnds ends(code);
  std::uint32_t line = 1;
  for (std::size_t at = 0; at < code.size();) {
    if (code[at] == '\n') ++line;
    if (!is_word_letter(code[at])) {
      ++at;
      continue;
    }
    const std::size_t end = end_of_word(code, at), before = before_spaces(code, at);
    std::size_t open = past_spaces(code, end);
    if (code.substr(open, end_of_word(code, open) - open) == "constexpr") open = past_spaces(code, open + 9);
    const bool asks = code.substr(at, end - at) == "if" && open < code.size() && code[open] == '(' &&
                      (before == kNowhere || code[before] != '#');
    const std::size_t close = asks ? ends.past_bracket(open) : kNowhere;
    if (close != kNowhere) {
      ConditionText found{line, at, past_spaces(code, close), ends.past_statement(close), 0, {}};
      found.end = ends.past_statement(at);
      found.condition = without_outer_spaces(code.substr(open + 1, close - open - 2));
      conditions.push_back(found);
    }
    at = end;
  }
  return conditions;
}

std::optional<JumpText> only_jump_of(std::string_view code, const ConditionText& condition) {
  constexpr std::array<std::string_view, 3> kJumps{"continue", "break", "return"};
  constexpr std::array<std::string_view, 6> kOthers{"for", "while", "do", "switch", "goto", "asm"};
  const std::string_view text = code.substr(condition.body, condition.end - condition.body);
  std::optional<JumpText> found;
  bool clear = true;
  for_each_name(text, [&](std::size_t at, std::string_view name) {
    clear = clear && std::ranges::find(kOthers, name) == kOthers.end();
    if (std::ranges::find(kJumps, name) == kJumps.end()) return;
    clear = clear && !found;
    found = {name, 0, condition.body + at};
  });
  for (std::size_t at = 0; clear && at < text.size(); ++at) clear = !begins_lambda(text, at);
  if (!clear || !found) return std::nullopt;
  found->line = line_at(code, found->place);
  return found;
}

}  // namespace cudalabs
