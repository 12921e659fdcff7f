#include "source/own_words.h"

namespace cudalabs {

bool begins_lambda_body(std::string_view code, std::size_t brace, const std::vector<std::size_t>& opened_by) {
  std::size_t before = before_spaces(code, brace);
  if (before != kNowhere && code[before] == ')') before = before_spaces(code, opened_by[before]);
  return before != kNowhere && code[before] == ']';
}

OwnBody own_body(std::string_view code, const FunctionBody& function, std::size_t place) {
  std::vector<std::size_t> brackets, opened_by(code.size()), braces, lambdas;
  for (std::size_t at = function.begin; at < place; ++at) {
    if (code[at] == '(') brackets.push_back(at);
    if (code[at] == ')' && !brackets.empty()) {
      opened_by[at] = brackets.back();
      brackets.pop_back();
    }
    if (code[at] == '{') {
      if (begins_lambda_body(code, at, opened_by)) lambdas.push_back(at);
      braces.push_back(at);
    }
    if (code[at] != '}' || braces.empty()) continue;
    if (!lambdas.empty() && lambdas.back() == braces.back()) lambdas.pop_back();
    braces.pop_back();
  }
  if (lambdas.empty()) return {function.begin, function.end};
  const std::size_t end = past_bracket(code, lambdas.back());
  return {lambdas.back(), end == kNowhere ? function.end : end};
}

}  // namespace cudalabs
