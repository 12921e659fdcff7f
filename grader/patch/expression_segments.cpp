#include "patch/expression_segments.h"

#include <algorithm>
#include <array>

namespace cudalabs::patch {
namespace {

bool ends_segment(const Token& token) {
  constexpr std::array<std::string_view, 21> kEnds{";",  ",",  "{",  "}", "[", "]", "&&", "||", "<",   "<=", ">",
                                                   ">=", "==", "!=", "?", ":", "=", "+=", "-=", "<<<", ">>>"};
  return std::ranges::find(kEnds, token.text) != kEnds.end();
}

/// Without what is before a bracket that does not close within, and from one on that does not open within.
TokenRange balanced(TokenRange range, const std::vector<Token>& tokens) {
  for (std::size_t at = range.first; at <= range.last; ++at) {
    if (tokens[at].kind == TokenKind::open) {
      if (tokens[at].partner > range.last) {
        range.first = at + 1;
      } else {
        at = tokens[at].partner;
      }
    } else if (tokens[at].kind == TokenKind::close) {
      return {range.first, at - 1};
    }
  }
  return range;
}

}  // namespace

std::vector<ExpressionSegment> expression_segments(const PatchedSource& source) {
  const TokenRoles& roles = source.roles;
  const std::vector<Token>& tokens = source.tokens;
  std::vector<ExpressionSegment> found;
  std::vector<std::size_t> around(tokens.size(), kNoToken), open;
  std::size_t first = 0;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const bool closes = tokens[at].kind == TokenKind::close || (tokens[at].is(">>>") && roles.partner(at) != kNoToken);
    if (closes && !open.empty()) open.pop_back();
    if (!open.empty()) around[at] = open.back();
    if (tokens[at].kind == TokenKind::open || (tokens[at].is("<<<") && roles.partner(at) != kNoToken))
      open.push_back(at);
    if (roles.in_body(at) && !ends_segment(tokens[at])) continue;
    if (at > first) {
      const TokenRange range = balanced({first, at - 1}, tokens);
      if (range.first <= range.last && range.last < at) {
        found.push_back({range, roles.body_of(range.first), around[range.first]});
      }
    }
    first = at + 1;
  }
  return found;
}

std::string compact_text(const TokenRange& range, const std::vector<Token>& tokens) {
  std::string text;
  for (std::size_t at = range.first; at <= range.last; ++at) text += tokens[at].text;
  return text;
}

}  // namespace cudalabs::patch
