// The words of a function apart from those of the lambdas in it: a `return` there ends another function. Read as text.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "source/function_text.h"
#include "text/code_scan.h"

namespace cudalabs {

/// "[&](int i) {", "[] {": a `return` in it ends that function alone. `opened_by`: of each
/// place with a round bracket that closes, where its other one is.
bool begins_lambda_body(std::string_view code, std::size_t brace, const std::vector<std::size_t>& opened_by);

/// The words of a function that belong to it, and to no lambda in it: calls `visit` with the place of each.
template <typename Visit>
void for_each_own_word(std::string_view code, std::size_t begin, std::size_t end, const Visit& visit) {
  std::vector<std::size_t> brackets, opened_by(code.size());
  std::vector<bool> in_lambda;  // of each open brace
  for (std::size_t at = begin; at < end; ++at) {
    const char letter = code[at];
    const bool inside = !in_lambda.empty() && in_lambda.back();
    if (letter == '(') brackets.push_back(at);
    if (letter == ')' && !brackets.empty()) {
      opened_by[at] = brackets.back();
      brackets.pop_back();
    }
    if (letter == '{') in_lambda.push_back(inside || begins_lambda_body(code, at, opened_by));
    if (letter == '}' && !in_lambda.empty()) in_lambda.pop_back();
    if (!is_word_letter(letter)) continue;
    const std::size_t past = end_of_word(code, at);
    if (!inside) visit(at, code.substr(at, past - at));
    at = past - 1;
  }
}

/// Where the body begins, with its brace, and ends that has the place: of a lambda in the function, or its own.
struct OwnBody {
  std::size_t begin = 0, end = 0;
};
OwnBody own_body(std::string_view code, const FunctionBody& function, std::size_t place);

}  // namespace cudalabs
