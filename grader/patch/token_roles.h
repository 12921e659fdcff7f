// What the tokens of a source are in its grammar, as far as that can be told without its headers.
#pragma once

#include <cstddef>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "patch/tokens.h"

namespace cudalabs::patch {

/// The index of no token.
inline constexpr std::size_t kNoToken = static_cast<std::size_t>(-1);

/// "+", "<<" and the like: neither comparisons nor assignments.
bool is_arithmetic(std::string_view sign);

class TokenRoles {
 public:
  /// The tokens must outlive it.
  explicit TokenRoles(const std::vector<Token>& tokens);

  /// Empty where there is no such token.
  std::string_view text(std::size_t at) const { return at < tokens_.size() ? tokens_[at].text : std::string_view(); }
  bool is(std::size_t at, std::string_view what) const { return text(at) == what; }
  bool has_kind(std::size_t at, TokenKind kind) const { return at < tokens_.size() && tokens_[at].kind == kind; }
  /// A name that is neither a keyword nor known to be a type.
  bool is_value_name(std::size_t at) const;
  bool is_type_name(std::string_view name) const;

  /// The brace that begins the body of the outermost function around the token; kNoToken: it is in none.
  std::size_t body_of(std::size_t at) const { return body_of_[at]; }
  bool in_body(std::size_t at) const { return body_of_[at] != kNoToken; }
  /// Of such a brace: the bracket before the function's parameters; kNoToken: it is no function's.
  std::size_t parameters_of(std::size_t body) const { return parameters_of_[body]; }
  /// Of a round, square or curly bracket, `<<<`, `>>>` and the angle brackets of a template: the other one; kNoToken:
  /// there is none. `>>` may close two.
  std::size_t partner(std::size_t at) const { return partner_[at]; }
  /// Of a template's arguments or parameters, or one of their brackets.
  bool in_template(std::size_t at) const { return in_template_[at]; }
  /// A round bracket that ends the type of a cast: "(size_t)n".
  bool ends_cast(std::size_t at) const;
  /// A value ends here: a name, a number, a bracket that is no cast's.
  bool ends_value(std::size_t at) const;
  /// A sign between two values: no unary one, none of a declaration.
  bool is_binary(std::size_t at) const;

  /// The value that begins at `at`, with its signs before it, its casts, calls, members and indices; kNoToken: its end
  /// is not found.
  std::size_t last_of_value(std::size_t at) const;
  /// The value that ends at `at`, likewise, but without signs and casts before it.
  std::size_t first_of_value(std::size_t at) const;
  /// What stands between commas behind `open`, a bracket or `<<<`; empty: it has no partner, or semicolons in it.
  std::vector<TokenRange> items(std::size_t open) const;

 private:
  void pair_brackets();
  void find_types();
  void find_bodies();
  void pair_angle(std::size_t open);
  bool has_only_types(std::size_t first, std::size_t end) const;

  const std::vector<Token>& tokens_;
  std::unordered_set<std::string_view> types_;
  std::vector<std::size_t> partner_, body_of_, parameters_of_;
  std::vector<bool> in_template_;
};

}  // namespace cudalabs::patch
