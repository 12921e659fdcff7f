#include "patch/operators/comparison_patches.h"

#include <optional>

#include "patch/decided_work.h"
#include "patch/operators/patch_operator.h"
#include "patch/operators/patch_words.h"
#include "patch/token_roles.h"

namespace cudalabs::patch {
namespace {

std::string_view other_comparison(std::string_view sign) {
  if (sign == "<") return "<=";
  if (sign == "<=") return "<";
  if (sign == ">") return ">=";
  if (sign == ">=") return ">";
  if (sign == "==") return "!=";
  return sign == "!=" ? "==" : "";
}

class Comparisons : PatchOperator {
 public:
  Comparisons(const PatchedSource& source, std::vector<Patch>& patches)
      : PatchOperator(source, patches), work_(source) {}

  void add() {
    std::size_t loop = kNoToken;  // the bracket of the loop's head around
    for (std::size_t at = 1; at < tokens_.size(); ++at) {
      if (tokens_[at].is("(") && roles_.is(at - 1, "for")) loop = at;
      if (loop != kNoToken && at >= roles_.partner(loop)) loop = kNoToken;
      if (tokens_[at].is("static_assert") && roles_.is(at + 1, "(")) at = roles_.partner(at + 1);
      const std::string_view other = other_comparison(tokens_[at].text);
      if (other.empty() || !roles_.in_body(at) || !roles_.is_binary(at) || is_meant(at, loop)) continue;
      const Token& token = tokens_[at];
      replace_token(PatchKind::comparison, token, other);
    }
  }

 private:
  /// The other one would nearly never be right.
  bool is_meant(std::size_t at, std::size_t loop) const {
    const Token &sign = tokens_[at], &left = tokens_[at - 1], &right = tokens_[at + 1];
    if (left.kind == TokenKind::literal || right.kind == TokenKind::literal) return true;
    if (is_check(at)) return true;
    const bool has_number = is_whole_number(at);
    if (sign.is("!=")) return false;
    if (sign.is("==")) return has_number;
    if (sign.is(">") && right.is("0") && (counts_down(loop) || is_counted_down_before(at))) return false;
    if ((right.is("0") && has_number) || (left.is("0") && !is_arithmetic(roles_.text(at - 2)))) return true;
    if (sign.is("<=") || sign.is(">")) return false;
    if (has_arithmetic(at)) return counts_up_from_zero(loop);
    return sign.is(">=") ? !has_number : !multiplies(loop);
  }

  /// "if (status != cudaSuccess) return -1;", "if (status == cudaSuccess) status = cudaMemcpy(...);": with the other
  /// sign a program only does less.
  bool is_check(std::size_t at) const {
    const std::optional<bool> works = work_.compares_status(at) ? work_.at(at) : std::nullopt;
    return works && *works == tokens_[at].is("==");
  }

  /// Nothing but a number is compared with.
  bool is_whole_number(std::size_t at) const {
    return tokens_[at + 1].kind == TokenKind::number && !is_arithmetic(roles_.text(at + 2));
  }

  bool has_arithmetic(std::size_t at) const {
    const std::size_t first = roles_.first_of_value(at - 1), last = roles_.last_of_value(at + 1);
    return (first > 0 && is_arithmetic(tokens_[first - 1].text)) ||
           (last != kNoToken && is_arithmetic(roles_.text(last + 1)));
  }

  /// "for (int i = 0; i < n - 1; ++i)".
  bool counts_up_from_zero(std::size_t loop) const {
    bool from_zero = false, up = false;
    for_head(loop, [&](std::size_t at) {
      from_zero = from_zero || (roles_.is(at, "=") && roles_.is(at + 1, "0"));
      up = up || roles_.is(at, "++");
    });
    return from_zero && up;
  }

  /// "for (int k = n - 1; k > 0; --k)" leaves out the first one.
  bool counts_down(std::size_t loop) const {
    bool found = false;
    for_head(loop, [&](std::size_t at) { found = found || roles_.is(at, "--"); });
    return found;
  }

  /// "while (--k > 0)" leaves out the first one, too.
  bool is_counted_down_before(std::size_t at) const {
    return at > 2 && roles_.is(at - 2, "--") && !roles_.ends_value(at - 3) && tokens_[at - 1].kind == TokenKind::name;
  }

  /// "for (int d = 1; d < n; d *= 2)".
  bool multiplies(std::size_t loop) const {
    bool found = false;
    for_head(loop, [&](std::size_t at) {
      found = found || roles_.is(at, "*=") || roles_.is(at, "<<=") || roles_.is(at, "/=") || roles_.is(at, ">>=");
    });
    return found;
  }

  template <typename Look>
  void for_head(std::size_t loop, const Look& look) const {
    constexpr std::size_t kLongestHead = 60;
    if (loop == kNoToken) return;
    for (std::size_t at = loop; at < roles_.partner(loop) && at < loop + kLongestHead; ++at) look(at);
  }

  DecidedWork work_;
};

}  // namespace

void add_comparisons(const PatchedSource& source, std::vector<Patch>& patches) {
  Comparisons(source, patches).add();
}

}  // namespace cudalabs::patch
