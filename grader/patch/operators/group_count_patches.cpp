#include "patch/operators/group_count_patches.h"

#include <set>
#include <string>
#include <string_view>

#include "patch/declared_variables.h"
#include "patch/expression_segments.h"
#include "patch/operators/patch_operator.h"
#include "patch/operators/patch_words.h"
#include "patch/token_roles.h"
#include "patch/uses.h"
#include "source/vector_type.h"

namespace cudalabs::patch {
namespace {

class GroupCounts : PatchOperator {
 public:
  using PatchOperator::PatchOperator;

  void add() {
    std::set<std::size_t> wide_bodies;
    for (std::size_t at = 0; at < tokens_.size(); ++at) {
      if (roles_.in_body(at) && elements_of_vector(tokens_[at].text) > 1) wide_bodies.insert(roles_.body_of(at));
    }
    if (wide_bodies.empty()) return;
    for (const ExpressionSegment& segment : expression_segments(source_)) {
      if (wide_bodies.contains(segment.body)) add_in(segment.tokens);
    }
  }

 private:
  void add_in(const TokenRange& range) {
    constexpr std::size_t kLongestGroupSum = 24;  // tokens
    if (range.first == 0 || range.last - range.first > kLongestGroupSum || is_compared(range)) return;
    for (std::size_t at = range.first; at <= range.last; ++at) {
      const bool alone = range.first == range.last && roles_.is(range.first - 1, "=");
      if (!is_own_name(tokens_, at) || !(alone || is_summand(at, range))) continue;
      const std::string divisor = divisor_of(at);
      if (divisor.empty()) continue;
      const Token& name = tokens_[at];
      const std::string product = std::string(name.text) + " * " + divisor;
      propose(PatchKind::arithmetic, name.begin, name.end(), product, in_place_of(product, name.text));
    }
  }

  /// A number of groups is what many a loop ends at.
  bool is_compared(const TokenRange& range) const {
    const auto compares = [&](std::size_t at) {
      return roles_.is(at, "<") || roles_.is(at, "<=") || roles_.is(at, ">") || roles_.is(at, ">=") ||
             roles_.is(at, "==") || roles_.is(at, "!=");
    };
    return compares(range.first - 1) || compares(range.last + 1);
  }

  bool is_summand(std::size_t at, const TokenRange& range) const {
    const auto adds = [&](std::size_t sign) {
      return sign >= range.first && sign <= range.last && roles_.is(sign, "+") && roles_.is_binary(sign);
    };
    const bool begins = at == range.first || adds(at - 1) || roles_.is(at - 1, "(");
    const bool ends = at == range.last || adds(at + 1) || roles_.is(at + 1, ")");
    return begins && ends && ((at > range.first && adds(at - 1)) || adds(at + 1));
  }

  /// "4" and "LANES" of what was set to "n / 4" and "n / LANES"; empty: it was not.
  std::string divisor_of(std::size_t name) const {
    const DeclaredVariable* const variable = variables_.meant_at(name);
    if (variable == nullptr || !variable->is_integer() || !variable->has_value() || variable->at == name) return {};
    const TokenRange& value = variable->value;
    if (value.last < value.first + 2 || !roles_.has_kind(value.last - 1, TokenKind::sign)) return {};
    const bool divides = roles_.is(value.last - 1, "/"), shifts = roles_.is(value.last - 1, ">>");
    const std::string_view divisor = tokens_[value.last].text;
    if (shifts && divisor == "1") return "2";
    if (shifts && divisor == "2") return "4";
    const bool is_name = roles_.is_value_name(value.last);
    return divides && (is_name || roles_.has_kind(value.last, TokenKind::number)) ? std::string(divisor)
                                                                                  : std::string();
  }
};

}  // namespace

void add_group_counts(const PatchedSource& source, std::vector<Patch>& patches) {
  GroupCounts(source, patches).add();
}

}  // namespace cudalabs::patch
