#include "patch/body_finder.h"

#include <algorithm>

#include "patch/token_roles.h"

namespace cudalabs::patch {
namespace {

/// What stands before a brace, from the end of the statement before it on.
class HeadOfBrace {
 public:
  HeadOfBrace(const TokenRoles& roles, std::size_t first, std::size_t brace) : roles_(roles), brace_(brace) {
    for (std::size_t at = first; at < brace; ++at) look_at(at);
    if (first < brace) last_ = brace - 1;
  }

  /// "X() : a{1}, b(2) {": the first brace.
  bool initialises_member() const {
    return has_member_list_ && last_ != kNoToken &&
           (roles_.has_kind(last_, TokenKind::name) || roles_.in_template(last_));
  }
  bool is_function() const {
    if (parameters_ == kNoToken || assigns_ || is_namespace_) return false;
    return !is_class_ || roles_.is(last_, ")");
  }
  std::size_t parameters() const { return parameters_; }

 private:
  void look_at(std::size_t& at) {
    const std::string_view word = roles_.text(at);
    if (roles_.in_template(at)) return;
    if (word == "(") {
      const bool is_attribute = at > 0 && (roles_.text(at - 1).starts_with("__") || roles_.is(at - 1, "alignas"));
      const bool is_operator = at > 0 && roles_.is(at - 1, "operator");
      if (parameters_ == kNoToken && !is_attribute && !is_operator) parameters_ = at;
      at = roles_.partner(at);
    } else if (word == "[" || word == "{") {
      at = roles_.partner(at);
    } else if (word == "=") {
      assigns_ = assigns_ || at == 0 || !roles_.is(at - 1, "operator");
    } else if (word == "namespace") {
      is_namespace_ = true;
    } else if (word == "struct" || word == "class" || word == "union" || word == "enum") {
      is_class_ = is_class_ || parameters_ == kNoToken;
    } else if (word == ":") {
      has_member_list_ = has_member_list_ || parameters_ != kNoToken;
    }
  }

  const TokenRoles& roles_;
  std::size_t brace_, last_ = kNoToken, parameters_ = kNoToken;
  bool assigns_ = false, is_namespace_ = false, is_class_ = false, has_member_list_ = false;
};

/// "[&](int i) mutable {", "[] {".
bool is_lambda(const TokenRoles& roles, std::size_t brace, std::size_t& parameters) {
  std::size_t at = brace == 0 ? 0 : brace - 1;
  while (at > 0 && (roles.is(at, "mutable") || roles.is(at, "noexcept") || roles.is(at, "__device__"))) --at;
  parameters = roles.is(at, ")") ? roles.partner(at) : kNoToken;
  const std::size_t captures = parameters == kNoToken ? at : parameters == 0 ? 0 : parameters - 1;
  if (!roles.is(captures, "]")) return false;
  const std::size_t open = roles.partner(captures);
  return open == 0 || !roles.ends_value(open - 1);
}

}  // namespace

std::vector<FoundBody> bodies_in(const TokenRoles& roles, const std::vector<Token>& tokens) {
  constexpr std::size_t kLongestHead = 400;
  std::vector<FoundBody> found;
  std::size_t head = 0;      // where what stands before the next brace begins
  std::size_t body_end = 0;  // of the outermost function
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const Token& token = tokens[at];
    if (token.is("(") && at >= body_end) {
      // Lambdas as default values are no functions of their own.
      at = token.partner;
    } else if (token.is("{")) {
      std::size_t parameters = kNoToken;
      const bool lambda = is_lambda(roles, at, parameters);
      const std::size_t first = at - std::min(at - head, kLongestHead);
      const HeadOfBrace before(roles, at < body_end ? at : first, at);
      const bool initialises = before.initialises_member();
      if (lambda || (at >= body_end && !initialises && before.is_function())) {
        found.push_back({at, lambda ? parameters : before.parameters()});
        if (at >= body_end) body_end = token.partner;
      }
      if (initialises) {
        at = token.partner;
      } else {
        head = at + 1;
      }
    } else if (token.is(";") || token.is("}")) {
      head = at + 1;
    }
  }
  return found;
}

}  // namespace cudalabs::patch
