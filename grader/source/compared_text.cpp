#include "source/compared_text.h"

#include "text/code_scan.h"

namespace cudalabs {
namespace {

/// Whether a comparison cannot go on past the letter, outside of brackets of its own.
bool ends_comparison(char letter) {
  return std::string_view(";?:{},").find(letter) != std::string_view::npos;
}

}  // namespace

ComparedText compared_at(std::string_view line, std::size_t at, std::size_t length) {
  const auto sign_at = [&](std::size_t place) {
    const std::string_view two = line.substr(place, 2);
    return two == "&&" || two == "||" ? two : std::string_view();
  };
  std::string_view before, behind;
  int depth = 0;
  std::size_t begin = at, end = at + length;
  for (; begin > 0; --begin) {
    const char letter = line[begin - 1];
    depth += letter == ')' || letter == ']' ? 1 : letter == '(' || letter == '[' ? -1 : 0;
    if (depth == 0 && begin > 1) before = sign_at(begin - 2);
    if (depth < 0 || !before.empty() || (depth == 0 && (ends_comparison(letter) || letter == '='))) break;
  }
  depth = 0;
  for (; end < line.size(); ++end) {
    const char letter = line[end];
    depth += letter == '(' || letter == '[' ? 1 : letter == ')' || letter == ']' ? -1 : 0;
    if (depth == 0) behind = sign_at(end);
    if (depth < 0 || !behind.empty() || (depth == 0 && ends_comparison(letter))) break;
  }
  const bool one_sign = before.empty() || behind.empty() || before == behind;
  return {without_outer_spaces(line.substr(begin, end - begin)), !one_sign        ? std::string_view()
                                                                 : before.empty() ? behind
                                                                                  : before};
}

}  // namespace cudalabs
