// Precedence: what binds more than a sum or a quotient takes a part of it.
#include "source/operator_text.h"

#include "text/code_scan.h"

namespace cudalabs {

namespace {

/// "->" or "::", which joins one value.
bool joins_at(std::string_view text, std::size_t at) {
  return text.substr(at, 2) == "->" || text.substr(at, 2) == "::";
}

bool is_in_brackets_only(char letter) {
  return std::string_view(",<>=!&|?:^~").find(letter) != std::string_view::npos;
}

}  // namespace

Operators operators_of(std::string_view text) {
  Operators found;
  int depth = 0;
  char before = 0;  // the last that is no space
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char letter = text[at];
    if (letter == ' ') continue;
    if (joins_at(text, at)) {
      before = '.';
      ++at;
      continue;
    }
    depth += letter == '(' || letter == '[' ? 1 : letter == ')' || letter == ']' ? -1 : 0;
    const bool arithmetic =
        is_word_letter(letter) || std::string_view("()[]+-*/%.").find(letter) != std::string_view::npos;
    // "return r - 1": two words beside each other are no value.
    const bool begins_word = depth == 0 && is_word_letter(letter) && at > 0 && text[at - 1] == ' ';
    if (begins_word && is_word_letter(before)) return {};
    if (depth < 0 || (!arithmetic && (depth == 0 || !is_in_brackets_only(letter)))) return {};
    const bool binary = depth == 0 && (is_word_letter(before) || before == ')' || before == ']' || before == '.');
    found.sums |= binary && (letter == '+' || letter == '-');
    found.divides |= binary && (letter == '/' || letter == '%');
    found.multiplies |= binary && letter == '*';
    before = letter;
  }
  found.arithmetic = depth == 0;
  return found;
}

bool splits_before(const Operators& operators, char sign) {
  if (sign == '/' || sign == '%') return operators.any();
  return operators.sums && (sign == '*' || sign == '-');
}

bool splits_after(const Operators& operators, char sign) {
  return operators.sums && (sign == '*' || sign == '/' || sign == '%');
}

SplittingSigns splitting_signs(std::string_view line, std::size_t begin, std::size_t end, const Operators& own) {
  SplittingSigns found;
  const std::size_t last = before_spaces(line, begin), next = past_spaces(line, end);
  const std::size_t operand = last == kNowhere ? kNowhere : before_spaces(line, last);
  const bool binary =
      operand != kNowhere && (is_word_letter(line[operand]) || line[operand] == ')' || line[operand] == ']');
  if (binary && splits_before(own, line[last])) found.before = std::string{line[last], ' '};
  if (next + 1 < line.size() && line[next + 1] != '=' && splits_after(own, line[next]))
    found.behind = std::string{' ', line[next]};
  if (found.behind.empty()) return found;
  const std::size_t factor = past_spaces(line, next + 1);
  std::size_t past = factor;
  while (past < line.size() && (is_word_letter(line[past]) || line[past] == '.')) ++past;
  const bool whole =
      past > factor &&
      (past == line.size() || (line[past] != '(' && line[past] != '[' && line[past] != '-' && line[past] != ':'));
  if (whole) found.behind += ' ' + std::string(line.substr(factor, past - factor));
  return found;
}

}  // namespace cudalabs
