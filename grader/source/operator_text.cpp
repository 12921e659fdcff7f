// Precedence: what binds more than a sum or a quotient takes a part of it.
#include "source/operator_text.h"

#include "text/code_scan.h"

namespace cudalabs {

Operators operators_of(std::string_view text) {
  Operators found;
  int depth = 0;
  char before = 0;  // the last that is no space
  for (const char letter : text) {
    if (letter == ' ') continue;
    depth += letter == '(' ? 1 : letter == ')' ? -1 : 0;
    const bool arithmetic =
        is_word_letter(letter) || std::string_view("()+-*/%.").find(letter) != std::string_view::npos;
    if (!arithmetic || depth < 0) return {};
    const bool binary = depth == 0 && (is_word_letter(before) || before == ')' || before == '.');
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

std::string_view without_outer_spaces(std::string_view text) {
  const std::size_t begin = past_spaces(text, 0), last = before_spaces(text, text.size());
  return last == std::string_view::npos || last < begin ? std::string_view() : text.substr(begin, last + 1 - begin);
}

}  // namespace cudalabs
