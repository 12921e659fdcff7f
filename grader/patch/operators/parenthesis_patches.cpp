#include "patch/operators/parenthesis_patches.h"

#include <algorithm>
#include <string>

#include "patch/operators/patch_operator.h"
#include "patch/operators/patch_words.h"
#include "patch/token_roles.h"

namespace cudalabs::patch {
namespace {

class Parentheses : PatchOperator {
 public:
  using PatchOperator::PatchOperator;

  void add() {
    for (std::size_t at = 2; at + 1 < tokens_.size(); ++at) {
      if (!roles_.in_body(at)) continue;
      if (is_sign_of_product(at)) add_around_sum(at);
      if (roles_.is(at, "(")) add_early_cast(at);
    }
  }

 private:
  bool is_sign_of_product(std::size_t at) const {
    const bool is_product = roles_.is(at, "*") && roles_.is(at - 1, "1");
    return (is_product || roles_.is(at, "/") || roles_.is(at, "%")) && roles_.is_binary(at);
  }

  bool is_sum_sign(std::size_t at) const { return (roles_.is(at, "+") || roles_.is(at, "-")) && roles_.is_binary(at); }

  /// "a + b / c": the sum before the sign at `at`.
  void add_around_sum(std::size_t at) {
    constexpr std::size_t kMostTerms = 4;
    std::size_t first = roles_.first_of_value(at - 1);
    std::size_t terms = 1;
    while (first > 1 && is_sum_sign(first - 1) && terms <= kMostTerms) {
      first = roles_.first_of_value(first - 2);
      ++terms;
    }
    const bool whole = terms > 1 && terms <= kMostTerms && first > 0 && !is_arithmetic(tokens_[first - 1].text) &&
                       !roles_.is(first - 1, ")");
    // Sums of fractions are halved by "+ x / 2" as they should be.
    const bool has_fraction = roles_.text(at + 1).find('.') != std::string_view::npos;
    if (!whole || has_fraction || tokens_[first].kind == TokenKind::number) return;
    const std::size_t begin = tokens_[first].begin;
    const std::string sum = text_of({first, at - 1});
    std::string words = in_place_of("(" + sum + ")", sum);
    if (2 * sum.size() > kLongestCode) words = "brackets around the sum before `" + std::string(tokens_[at].text) + "`";
    propose(PatchKind::arithmetic, begin, begin + sum.size(), "(" + sum + ")", std::move(words));
  }

  /// The bracket is behind a type that is wider than what is computed in it.
  bool begins_wide_value(std::size_t open) const {
    const auto is_wide = [&](std::size_t at) {
      return roles_.is(at, "size_t") || roles_.is(at, "long") || roles_.is(at, "float") || roles_.is(at, "double");
    };
    if (roles_.is(open - 1, ")") && roles_.ends_cast(open - 1)) return is_wide(open - 2);
    const bool is_static_cast = roles_.in_template(open - 1) && roles_.partner(open - 1) != kNoToken &&
                                roles_.is(roles_.partner(open - 1) - 1, "static_cast");
    return is_static_cast ? is_wide(open - 2) : is_wide(open - 1);
  }

  /// "(size_t)(a * b)": the product or quotient is computed before.
  void add_early_cast(std::size_t open) {
    if (!begins_wide_value(open)) return;
    const std::size_t close = roles_.partner(open), last = roles_.last_of_value(open + 1);
    if (last == kNoToken || last >= close) return;
    const bool is_product = (roles_.is(last + 1, "*") || roles_.is(last + 1, "/")) && roles_.is_binary(last + 1);
    const std::size_t second = is_product ? roles_.last_of_value(last + 2) : kNoToken;
    const bool is_operand = is_arithmetic(roles_.text(close + 1)) && !roles_.is(close + 1, "+");
    if (second == kNoToken || second + 1 != close || is_operand) return;
    const std::size_t begin = tokens_[open].begin;
    const std::string left = text_of({open + 1, last}), right = text_of({last + 1, second});
    const bool keeps = roles_.is(open - 1, ")");
    const std::string now = (keeps ? left : "(" + left + ")") + " " + right, before = text_of({open, close});
    std::string words = in_place_of(now, before);
    if (now.size() + before.size() > kLongestCode)
      words = "the type converted before `" + std::string(tokens_[last + 1].text) + "`";
    if (std::ranges::count(before, '\n') != std::ranges::count(now, '\n')) return;
    propose(PatchKind::arithmetic, begin, begin + before.size(), now, std::move(words));
  }
};

}  // namespace

void add_parentheses(const PatchedSource& source, std::vector<Patch>& patches) {
  Parentheses(source, patches).add();
}

}  // namespace cudalabs::patch
