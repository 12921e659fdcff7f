#include "patch/operators/number_patches.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include "patch/operators/patch_operator.h"
#include "patch/operators/patch_words.h"
#include "patch/token_roles.h"

namespace cudalabs::patch {
namespace {

std::optional<long> integer_of(const Token& token) {
  if (token.kind != TokenKind::number) return std::nullopt;
  long value = 0;
  const char* const end = token.text.data() + token.text.size();
  const auto [past, error] = std::from_chars(token.text.data(), end, value);
  const bool is_whole = error == std::errc() && (past == end || std::string_view(past, end) == "u");
  return is_whole ? std::optional(value) : std::nullopt;
}

bool is_comparison(std::string_view sign) {
  return sign == "<" || sign == "<=" || sign == ">" || sign == ">=" || sign == "==" || sign == "!=";
}

class Numbers : PatchOperator {
 public:
  using PatchOperator::PatchOperator;

  void add() {
    for (std::size_t at = 1; at + 1 < tokens_.size(); ++at) {
      if (!roles_.in_body(at)) continue;
      add_fraction(at);
      add_rounding(at);
      add_bound(at);
      add_mirrored(at);
      add_start(at);
      add_wrap(at);
    }
  }

 private:
  void replace(const Token& token, std::string now) {
    std::string words = in_place_of(now, token.text);
    propose(PatchKind::number, token.begin, token.end(), std::move(now), std::move(words));
  }

  /// "auto sum = 0;", "1 / 3 * x".
  void add_fraction(std::size_t at) {
    const std::optional<long> number = integer_of(tokens_[at]);
    if (!number) return;
    const bool is_auto = roles_.is(at - 1, "=") && at > 2 && roles_.is(at - 3, "auto") && roles_.is(at + 1, ";") &&
                         !roles_.is(at - 4, "(");
    if (is_auto && *number == 0) replace(tokens_[at], "0.0f");
    const std::optional<long> divisor = at + 2 < tokens_.size() ? integer_of(tokens_[at + 2]) : std::nullopt;
    const bool is_factor = roles_.is(at - 1, "/") || roles_.is(at - 1, "*") || roles_.is(at - 1, "%");
    if (roles_.is(at + 1, "/") && divisor && *number > 0 && *number < *divisor && !is_factor) {
      replace(tokens_[at], std::string(tokens_[at].text) + ".0f");
    }
  }

  /// "(n + 15) / 32", "(n + T) / T".
  void add_rounding(std::size_t at) {
    if (!roles_.is(at, ")") || !roles_.is(at + 1, "/") || !roles_.is(at - 2, "+")) return;
    const Token& added = tokens_[at - 1];
    if (at + 2 >= tokens_.size() || at - 2 < roles_.partner(at)) return;
    const Token& divisor = tokens_[at + 2];
    for (std::size_t inner = roles_.partner(at); inner < at; ++inner) {
      if (roles_.is(inner, "*")) return;
    }
    const std::optional<long> more = integer_of(added), parts = integer_of(divisor);
    if (more && parts && *more != *parts - 1 && *parts > 1) replace(added, std::to_string(*parts - 1));
    if (added.kind == TokenKind::name && added.text == divisor.text) replace(added, std::string(added.text) + " - 1");
  }

  /// "i < n - 1": without its one. Not "(n + t - 1) / t", and not "i == n - 1", which then is asked for in vain: what
  /// it decides about might be left out as well.
  void add_bound(std::size_t at) {
    if (!is_comparison(tokens_[at].text) || !roles_.is_binary(at)) return;
    if (tokens_[at].is("==") || tokens_[at].is("!=")) return;
    const std::size_t last = roles_.last_of_value(at + 1);
    if (last == kNoToken || last + 3 >= tokens_.size()) return;
    const bool is_one = (roles_.is(last + 1, "-") || roles_.is(last + 1, "+")) && roles_.is(last + 2, "1");
    if (!is_one || is_arithmetic(tokens_[last + 3].text)) return;
    const std::size_t begin = tokens_[last].end();
    const std::string value = text_of({at + 1, last});
    if (value.size() > kLongestCode / 2 ||
        source_.code.substr(begin, tokens_[last + 2].end() - begin).find('\n') != std::string_view::npos) {
      return;
    }
    propose(PatchKind::number, begin, tokens_[last + 2].end(), "", in_place_of(value, text_of({at + 1, last + 2})));
  }

  /// "in[n - i]": counted from the end, the first one is `n - 1`.
  void add_mirrored(std::size_t at) {
    constexpr std::size_t kLongestValue = 6;  // tokens
    if (!roles_.is(at, "[") || roles_.partner(at) < at + 4) return;
    const std::size_t close = roles_.partner(at), first = roles_.last_of_value(at + 1);
    if (first == kNoToken || !roles_.is(first + 1, "-") || first - at > kLongestValue) return;
    const bool is_single = roles_.is_value_name(first + 2) && first + 3 == close;
    if (!is_single || !roles_.is_value_name(first)) return;
    const std::string before = text_of({at + 1, first}), behind = text_of({first + 1, close - 1});
    propose(PatchKind::number, tokens_[first].end(), tokens_[first].end(), " - 1",
            in_place_of(before + " - 1 " + behind, before + " " + behind));
  }

  /// "for (int k = 1;": from 0.
  void add_start(std::size_t at) {
    if (!roles_.is(at, "1") || !roles_.is(at + 1, ";") || !roles_.is(at - 1, "=")) return;
    const bool is_loop = at > 4 && (roles_.is(at - 4, "(") || roles_.is(at - 5, "(")) &&
                         (roles_.is(at - 5, "for") || roles_.is(at - 6, "for"));
    if (is_loop && !grows_by_factor(at)) replace(tokens_[at], "0");
  }

  /// From 0 it would stay there.
  bool grows_by_factor(std::size_t start) const {
    constexpr std::size_t kLongestHead = 40;
    for (std::size_t at = start; at < std::min(start + kLongestHead, tokens_.size()); ++at) {
      if (roles_.is(at, "*=") || roles_.is(at, "<<=") || roles_.is(at, "*") || roles_.is(at, "<<")) return true;
      if (roles_.is(at, ")") || roles_.is(at, "{")) return false;
    }
    return true;
  }

  /// "atomicInc(&count, gridDim.x)": it goes back to 0 behind its limit, which therefore is the last number.
  void add_wrap(std::size_t at) {
    if (!roles_.is(at, "atomicInc") || !roles_.is(at + 1, "(")) return;
    const std::vector<TokenRange> items = roles_.items(at + 1);
    if (items.size() != 2) return;
    const std::size_t last = items[1].last;
    const std::string limit = text_of({items[1].first, last});
    if (roles_.last_of_value(items[1].first) != last || limit.size() > kLongestCode / 2) return;
    if (tokens_[last].kind == TokenKind::number) return;
    propose(PatchKind::number, tokens_[last].end(), tokens_[last].end(), " - 1", in_place_of(limit + " - 1", limit));
  }
};

}  // namespace

void add_numbers(const PatchedSource& source, std::vector<Patch>& patches) {
  Numbers(source, patches).add();
}

}  // namespace cudalabs::patch
