#include "source/choice_text.h"

#include <vector>

#include "text/code_scan.h"

namespace cudalabs {
namespace {

constexpr std::size_t kLongestChoice = 500;

bool opens_bracket(char letter) {
  return letter == '(' || letter == '[' || letter == '{';
}

bool closes_bracket(char letter) {
  return letter == ')' || letter == ']' || letter == '}';
}

/// Where the expression begins that ends before `end`: behind an open bracket, a comma, an assignment or another value.
std::size_t begin_of_condition(std::string_view line, std::size_t end) {
  int depth = 0;
  for (std::size_t at = end; at-- > 0;) {
    if (closes_bracket(line[at])) ++depth;
    if (opens_bracket(line[at]) && depth-- == 0) return at + 1;
    if (depth > 0) continue;
    const bool part_of_other = at > 0 && std::string_view("=<>!").find(line[at - 1]) != kNowhere;
    const bool assigns = line[at] == '=' && line[at + 1] != '=' && !part_of_other;
    if (assigns || std::string_view(",;?:").find(line[at]) != kNowhere) return at + 1;
    if (line.substr(at).starts_with("return") && end_of_word(line, at) == at + 6 &&
        (at == 0 || !is_word_letter(line[at - 1])))
      return at + 6;
  }
  return 0;
}

}  // namespace

std::string_view choice_around(std::string_view line, std::size_t place) {
  if (line.size() > kLongestChoice || place >= line.size()) return {};
  std::vector<std::size_t> open{kNowhere};  // of each bracket: the question whose first value is not at its end
  for (std::size_t at = 0; at < place; ++at) {
    if (opens_bracket(line[at])) open.push_back(kNowhere);
    if (closes_bracket(line[at]) && open.size() > 1) open.pop_back();
    if (line[at] == '?') open.back() = at;
    const bool is_scope = line.substr(at).starts_with("::") || (at > 0 && line[at - 1] == ':');
    if (line[at] == ':' && !is_scope) open.back() = kNowhere;
  }
  while (!open.empty() && open.back() == kNowhere) open.pop_back();
  if (open.empty()) return {};
  const std::size_t begin = begin_of_condition(line, open.back());
  std::string_view condition = without_outer_spaces(line.substr(begin, open.back() - begin));
  while (condition.starts_with('(') && past_bracket(condition, 0) == condition.size())
    condition = without_outer_spaces(condition.substr(1, condition.size() - 2));
  return condition;
}

}  // namespace cudalabs
