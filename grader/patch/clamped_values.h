// Values that are kept below a limit: "min(k, n - 1)", "k < n ? k : n - 1", and calls of functions that return such.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "patch/declared_variables.h"
#include "patch/patch.h"
#include "patch/patched_source.h"
#include "patch/token_roles.h"

namespace cudalabs::patch {

/// When what is clamped is inside, and when it is not: "k < n" and "k >= n".
struct ClampedValue {
  std::string inside, outside;

  bool operator==(const ClampedValue&) const = default;
};

class ClampedValues {
 public:
  /// The source must outlive it.
  explicit ClampedValues(const PatchedSource& source);

  /// Those in the range, which should be short: each token of it is looked at, and what is in brackets behind it.
  std::vector<ClampedValue> in(const TokenRange& range) const;

 private:
  /// Tokens of the index and of its limit; `of_size`: the limit is the first that is outside, not the last inside.
  struct Clamp {
    TokenRange index, limit;
    bool of_size = false;
  };
  /// A function whose only statement returns a clamp, with its parameters' names.
  struct ClampFunction {
    std::vector<std::string_view> parameters;
    Clamp clamp;
  };

  void find_functions();
  std::optional<Clamp> clamp_at(std::size_t at) const;
  std::optional<Clamp> smaller_of(const std::vector<TokenRange>& items) const;
  std::optional<Clamp> chosen_in(TokenRange range) const;
  std::optional<ClampedValue> called_at(std::size_t at) const;
  bool is_one_less(const TokenRange& range) const;
  bool is_last_of_size(const TokenRange& range) const;
  bool are_same(TokenRange one, TokenRange other) const;
  TokenRange without_brackets(TokenRange range) const;
  std::string text_of_range(const TokenRange& range) const;
  std::optional<std::string> given(const ClampFunction& function, const TokenRange& range,
                                   const std::vector<TokenRange>& arguments) const;

  const PatchedSource& source_;
  const TokenRoles& roles_;
  const DeclaredVariables& variables_;
  std::map<std::string_view, ClampFunction> functions_;
};

}  // namespace cudalabs::patch
