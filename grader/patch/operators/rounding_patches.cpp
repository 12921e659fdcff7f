#include "patch/operators/rounding_patches.h"

#include <charconv>
#include <string>

#include "patch/declared_variables.h"
#include "patch/expression_segments.h"
#include "patch/operators/patch_operator.h"
#include "patch/operators/patch_words.h"

namespace cudalabs::patch {
namespace {

class Roundings : PatchOperator {
 public:
  using PatchOperator::PatchOperator;

  void add() {
    for (const ExpressionSegment& segment : expression_segments(source_)) {
      if (roles_.is(segment.open, "[")) continue;
      for (std::size_t at = segment.tokens.first + 1; at < segment.tokens.last; ++at) {
        const bool divides = roles_.is(at, "/") || roles_.is(at, ">>");
        if (divides && roles_.is_binary(at)) add_rounding(at);
      }
    }
  }

 private:
  /// "n", "a.cols", "static_cast<unsigned>(n)".
  bool is_size(std::size_t first, std::size_t last) const {
    constexpr std::size_t kLongest = 10;  // tokens
    if (last - first > kLongest) return false;
    bool has_size = false;
    for (std::size_t at = first; at <= last; ++at) {
      if (tokens_[at].text.ends_with("Idx") || tokens_[at].text.ends_with("Dim") || roles_.is_binary(at)) return false;
      if (!roles_.is_value_name(at) || roles_.is(at + 1, "::")) continue;
      const DeclaredVariable* variable = variables_.meant_at(at);
      has_size = has_size || (variable != nullptr && variable->at != at && may_be_size(*variable));
    }
    return has_size;
  }

  bool may_be_size(const DeclaredVariable& variable) const {
    if (!variable.is_integer() && variable.type != "auto") return variable.type == "const auto";
    if (variable.place == VariablePlace::parameter || variable.place == VariablePlace::member) return true;
    if (variable.place == VariablePlace::outside || !variable.has_value()) return false;
    if (roles_.is(variable.at - 2, "(")) return false;  // of a loop
    if (variable.value.first == variable.value.last) return tokens_[variable.value.first].kind == TokenKind::name;
    for (std::size_t at = variable.value.first; at <= variable.value.last; ++at) {
      if (tokens_[at].text.ends_with("Idx") || tokens_[at].is("%")) return false;
    }
    return true;
  }

  /// What is added: "t - 1", "3" before "/ 4" and before ">> 2".
  std::string addition(std::size_t sign, std::size_t last) const {
    const std::string_view divisor = tokens_[sign + 1].text;
    if (sign + 1 != last || tokens_[sign + 1].kind != TokenKind::number) {
      return roles_.is(sign, "/") ? text_of({sign + 1, last}) + " - 1" : "";
    }
    long value = 0;
    const auto [past, error] = std::from_chars(divisor.data(), divisor.data() + divisor.size(), value);
    if (error != std::errc() || (past != divisor.data() + divisor.size() && *past != 'u')) return "";
    constexpr long kMostBits = 20;
    if (roles_.is(sign, ">>")) value = value < kMostBits ? 1L << value : 0;
    return value > 1 ? std::to_string(value - 1) : "";
  }

  void add_rounding(std::size_t sign) {
    const std::size_t first = roles_.first_of_value(sign - 1), last = roles_.last_of_value(sign + 1);
    if (last == kNoToken || first == 0 || !is_size(first, sign - 1)) return;
    const std::string_view before = tokens_[first - 1].text, behind = roles_.text(last + 1);
    if (before == "*" || before == "/" || before == "%" || (before == ")" && roles_.ends_cast(first - 1))) return;
    if (behind == "*" || behind == "/" || behind == "%" || roles_.is(last + 1, ".")) return;
    // "(n - 1) / t + 1" and "n / t + (n % t != 0)" are rounded up.
    if (behind == "+") return;
    const std::string more = addition(sign, last);
    if (more.empty()) return;
    const std::string sum = text_of({first, sign - 1}) + " + " + more;
    const std::size_t begin = tokens_[first].begin;
    std::string words = in_place_of("(" + sum + ")", text_of({first, sign - 1}));
    if (sum.size() + (sign - first) > kLongestCode) words = "`+ " + more + "` before the division";
    propose(PatchKind::arithmetic, begin, tokens_[sign - 1].end(), "(" + sum + ")", words);
  }
};

}  // namespace

void add_roundings(const PatchedSource& source, std::vector<Patch>& patches) {
  Roundings(source, patches).add();
}

}  // namespace cudalabs::patch
