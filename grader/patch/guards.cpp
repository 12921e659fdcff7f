#include "patch/guards.h"

namespace cudalabs::patch {
namespace {

constexpr std::size_t kMostGuards = 16;  // of a function

bool begins_part(const Token& token) {
  return token.is("(") || token.is("&&") || token.is("||") || token.is(";") || token.is("=") || token.is("return");
}

bool ends_part(const Token& token) {
  return token.is(")") || token.is("&&") || token.is("||") || token.is(";") || token.is("?");
}

}  // namespace

std::vector<Guard> guards_of(const std::vector<Token>& tokens, const Function& function) {
  std::vector<Guard> guards;
  for (std::size_t at = function.open + 2; at + 2 < function.close && guards.size() < kMostGuards; ++at) {
    if (!tokens[at].is("<") && !tokens[at].is(">=")) continue;
    const bool is_alone = tokens[at - 1].kind == TokenKind::name && begins_part(tokens[at - 2]);
    const bool has_member = tokens[at + 2].is(".") || tokens[at + 2].is("->");
    const std::size_t last = has_member ? at + 3 : at + 1;
    if (!is_alone || tokens[at + 1].kind != TokenKind::name || last + 1 >= function.close) continue;
    if (ends_part(tokens[last + 1])) guards.push_back({at, tokens[at - 1].text, {at + 1, last}});
  }
  return guards;
}

}  // namespace cudalabs::patch
