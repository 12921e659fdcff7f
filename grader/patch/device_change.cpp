#include "patch/device_change.h"

#include <algorithm>
#include <vector>

#include "patch/token_roles.h"
#include "patch/tokens.h"

namespace cudalabs::patch {
namespace {

/// What stands before the function's parameters, from the end of what comes before it on.
bool is_of_device_alone(const std::vector<Token>& tokens, std::size_t parameters) {
  bool of_device = false;
  for (std::size_t at = parameters; at-- > 0;) {
    const Token& token = tokens[at];
    if (token.is(";") || token.is("{") || token.is("}")) break;
    if (token.is("__host__")) return false;
    of_device = of_device || token.is("__global__") || token.is("__device__");
  }
  return of_device;
}

/// With the lines before it that go on in it.
std::string_view line_up_to(std::string_view code, std::size_t place) {
  std::size_t begin = code.substr(0, place).rfind('\n') + 1;
  while (begin > 1 && code[begin - 2] == '\\') begin = code.substr(0, begin - 1).rfind('\n') + 1;
  return code.substr(begin, place - begin);
}

/// A line of the preprocessor has no tokens.
bool is_directive(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  return first != std::string_view::npos && line[first] == '#';
}

}  // namespace

bool changes_device_code_only(std::string_view code, const Patch& patch) {
  const std::vector<Token> tokens = tokens_of(code);
  const TokenRoles roles(tokens);
  const auto first = std::ranges::lower_bound(tokens, patch.begin, {}, &Token::end);
  if (first == tokens.end()) return false;
  const std::size_t body = roles.body_of(static_cast<std::size_t>(first - tokens.begin()));
  if (body == kNoToken) return false;
  const std::size_t parameters = roles.parameters_of(body);
  const bool is_within =
      patch.begin > tokens[body].begin && patch.begin + patch.length <= tokens[tokens[body].partner].begin;
  return is_within && parameters != kNoToken && is_of_device_alone(tokens, parameters) &&
         !is_directive(line_up_to(code, patch.begin));
}

}  // namespace cudalabs::patch
