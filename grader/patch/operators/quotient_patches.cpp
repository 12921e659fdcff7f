#include "patch/operators/quotient_patches.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "patch/declared_variables.h"
#include "patch/operators/patch_operator.h"
#include "patch/operators/patch_words.h"
#include "patch/token_roles.h"
#include "patch/uses.h"

namespace cudalabs::patch {
namespace {

// A text may be made to be long to read.
constexpr std::size_t kLongestType = 3, kLongestQuotient = 24, kMostQuotients = 16, kMostDivisors = 6;  // tokens

class Quotients : PatchOperator {
 public:
  using PatchOperator::PatchOperator;

  void add() {
    std::size_t looked_at = 0;
    for (std::size_t at = 0; at < tokens_.size() && looked_at < kMostQuotients; ++at) {
      if (!roles_.in_body(at) || !tokens_[at].is("(")) continue;
      const std::size_t close = roles_.partner(at);
      if (close == kNoToken || close < at + 4 || close - at > kLongestQuotient || !is_cast_to_whole(at)) continue;
      if (replace({at + 1, close - 1})) ++looked_at;
    }
  }

 private:
  static bool is_whole_word(std::string_view word) {
    constexpr std::array<std::string_view, 5> kWords{"int", "unsigned", "long", "size_t", "short"};
    return std::ranges::find(kWords, word) != kWords.end();
  }

  /// The bracket begins what a cast makes a whole number of: "(int)(", "int(", "static_cast<int>(".
  bool is_cast_to_whole(std::size_t open) const {
    if (open < 2) return false;
    if (is_whole_word(tokens_[open - 1].text)) return true;
    const bool is_bracket = roles_.is(open - 1, ")") || roles_.is(open - 1, ">");
    const std::size_t begin = is_bracket ? roles_.partner(open - 1) : kNoToken;
    if (begin == kNoToken || begin == 0 || open - 2 - begin > kLongestType) return false;
    if (roles_.is(open - 1, ">") && !roles_.is(begin - 1, "static_cast")) return false;
    return is_whole_word(tokens_[open - 2].text);
  }

  bool is_float(std::size_t at) const {
    const DeclaredVariable* const variable =
        roles_.has_kind(at, TokenKind::name) && is_own_name(tokens_, at) ? variables_.meant_at(at) : nullptr;
    return variable != nullptr && (variable->type == "float" || variable->type == "double");
  }

  /// Of a product or quotient of two with such a variable, which for a quotient is the second: what is divided. Nothing
  /// else rounds it.
  TokenRange dividend_of(TokenRange value) const {
    std::size_t sign = 0;
    for (std::size_t at = value.first; at <= value.last; ++at) {
      if (tokens_[at].kind == TokenKind::open) {
        at = roles_.partner(at);
        if (at == kNoToken || at > value.last) return {};
        continue;
      }
      if (!roles_.is_binary(at)) continue;
      if (sign != 0 || (!tokens_[at].is("*") && !tokens_[at].is("/"))) return {};
      sign = at;
    }
    if (sign == 0) return {};
    if (sign + 1 == value.last && is_float(value.last)) return whole_part({value.first, sign - 1});
    if (tokens_[sign].is("*") && sign == value.first + 1 && is_float(value.first))
      return whole_part({sign + 1, value.last});
    return {};
  }

  /// "i" of "(float)i", "float(i)" and "static_cast<float>(i)".
  TokenRange whole_part(TokenRange value) const {
    const auto is_float_type = [&](std::size_t at) { return roles_.is(at, "float") || roles_.is(at, "double"); };
    const auto inside = [&](std::size_t open) {
      const bool is_all = roles_.is(open, "(") && roles_.partner(open) == value.last && open + 1 < value.last;
      return is_all ? TokenRange{open + 1, value.last - 1} : TokenRange{};
    };
    if (roles_.is(value.first, "(") && is_float_type(value.first + 1) && roles_.is(value.first + 2, ")"))
      return {value.first + 3, value.last};
    if (is_float_type(value.first)) return inside(value.first + 1);
    if (roles_.is(value.first, "static_cast") && is_float_type(value.first + 2)) return inside(value.first + 4);
    return value;
  }

  bool has_float(TokenRange value) const {
    for (std::size_t at = value.first; at <= value.last; ++at)
      if (is_float(at) || (tokens_[at].kind == TokenKind::number && tokens_[at].text.find('.') != std::string::npos))
        return true;
    return false;
  }

  bool replace(TokenRange value) {
    const TokenRange dividend = dividend_of(value);
    if (dividend.first == 0 || dividend.first > dividend.last || has_float(dividend)) return false;
    const std::string divided = text_of(dividend), before = text_of(value);
    const bool is_sum = dividend.first != dividend.last && !roles_.is(dividend.first, "(");
    std::size_t divisors = 0;
    for (const DeclaredVariable& variable : variables_.all()) {
      if (divisors == kMostDivisors) break;
      const bool is_named = variable.is_integer() && variables_.meant_of(variable.name, value.first) == &variable;
      const bool is_set_here =
          variable.has_value() && variable.value.first <= value.first && value.first <= variable.value.last;
      if (!is_named || is_set_here || uses(tokens_, value, variable.name)) continue;
      ++divisors;
      const std::string quotient = (is_sum ? "(" + divided + ")" : divided) + " / " + std::string(variable.name);
      propose(PatchKind::quotient, tokens_[value.first].begin, tokens_[value.last].end(), quotient,
              in_place_of(quotient, before));
    }
    return true;
  }
};

}  // namespace

void add_quotients(const PatchedSource& source, std::vector<Patch>& patches) {
  Quotients(source, patches).add();
}

}  // namespace cudalabs::patch
