#include "patch/operators/stride_patches.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "patch/expression_segments.h"
#include "patch/operators/patch_operator.h"
#include "patch/operators/patch_words.h"
#include "patch/token_roles.h"

namespace cudalabs::patch {
namespace {

constexpr std::size_t kMostStrides = 8;         // of a function
constexpr std::size_t kLongestStridedSum = 24;  // tokens
constexpr std::size_t kMostStridedSummands = 4;
constexpr std::size_t kLongestFactor = 20;  // letters

struct Summand {
  bool is_minus = false;
  TokenRange tokens;
  std::string text;              // without blanks
  std::size_t times = kNoToken;  // the `*` of two factors
  bool operator==(const Summand& other) const { return is_minus == other.is_minus && text == other.text; }
};

using Sum = std::vector<Summand>;

/// "first + j * BX": the sum without this summand, which has two factors.
struct Stride {
  Sum rest;
  std::string counter, factor;
};

Sum without(Sum sum, std::size_t first, std::size_t count = 1) {
  const auto begin = sum.begin() + static_cast<std::ptrdiff_t>(first);
  sum.erase(begin, begin + static_cast<std::ptrdiff_t>(count));
  return sum;
}

class Strides : PatchOperator {
 public:
  using PatchOperator::PatchOperator;

  void add() {
    for (const ExpressionSegment& segment : expression_segments(source_)) {
      Sum sum = summands_of(segment.tokens);
      if (sum.size() < 2) continue;
      read_strides(sum, segment.body);
      sums_.emplace_back(segment.body, std::move(sum));
    }
    for (const auto& [body, sum] : sums_) {
      for (const Stride& stride : strides_[body]) {
        add_factor(sum, stride);
      }
    }
  }

 private:
  /// Empty: it is no sum, or one of another form.
  Sum summands_of(const TokenRange& range) const {
    Sum sum;
    if (range.last - range.first > kLongestStridedSum) return sum;
    std::size_t first = range.first, times = kNoToken;
    bool is_minus = false, is_plain = true;
    for (std::size_t at = range.first; at <= range.last + 1; ++at) {
      const bool ends = at == range.last + 1;
      if (!ends && tokens_[at].kind == TokenKind::open) {
        const std::size_t close = roles_.partner(at);
        if (close == kNoToken || close > range.last) return {};
        at = close;
        continue;
      }
      const bool is_sign = !ends && roles_.is_binary(at);
      if (ends || (is_sign && (tokens_[at].is("+") || tokens_[at].is("-")))) {
        if (at == first || sum.size() == kMostStridedSummands) return {};
        const TokenRange tokens{first, at - 1};
        sum.push_back({is_minus, tokens, compact_text(tokens, tokens_), is_plain ? times : kNoToken});
        is_minus = !ends && tokens_[at].is("-");
        first = at + 1;
        times = kNoToken;
        is_plain = true;
      } else if (is_sign && tokens_[at].is("*") && times == kNoToken) {
        times = at;
      } else if (is_sign) {
        is_plain = false;
      }
    }
    return sum;
  }

  void read_strides(const Sum& sum, std::size_t body) {
    std::vector<Stride>& known = strides_[body];
    for (std::size_t i = 0; i < sum.size(); ++i) {
      const Summand& product = sum[i];
      if (product.times == kNoToken || product.is_minus || known.size() == kMostStrides) continue;
      std::string left = compact_text({product.tokens.first, product.times - 1}, tokens_);
      std::string right = compact_text({product.times + 1, product.tokens.last}, tokens_);
      if (right.size() > kLongestFactor || left.size() > kLongestFactor) continue;
      Stride stride{without(sum, i), std::move(left), std::move(right)};
      const bool is_known = std::ranges::any_of(known, [&](const Stride& other) {
        return other.rest == stride.rest && other.counter == stride.counter && other.factor == stride.factor;
      });
      if (!is_known) known.push_back(std::move(stride));
    }
  }

  void add_factor(const Sum& sum, const Stride& stride) {
    if (sum.size() == stride.rest.size() + 2) add_to_last(sum, stride);
    if (sum.size() != stride.rest.size() + 1) return;
    for (std::size_t i = 0; i < sum.size(); ++i) {
      const Summand& bare = sum[i];
      const bool is_number = bare.tokens.first == bare.tokens.last &&
                             tokens_[bare.tokens.first].kind == TokenKind::number && bare.text != "0";
      const bool is_counted = is_number || bare.text == stride.counter;
      if (bare.is_minus || bare.times != kNoToken || !is_counted || without(sum, i) != stride.rest) continue;
      replace(sum, bare.tokens, written(bare.tokens) + " * " + stride.factor);
    }
  }

  /// "first + COUNT - 1", the last of several.
  void add_to_last(const Sum& sum, const Stride& stride) {
    const std::size_t count = sum.size() - 2;
    const Summand &number = sum[count], &one = sum[count + 1];
    const bool is_last = !number.is_minus && number.times == kNoToken && one.is_minus && one.text == "1";
    if (!is_last || without(sum, count, 2) != stride.rest) return;
    const TokenRange last{number.tokens.first, one.tokens.last};
    replace(sum, last, "(" + written(last) + ") * " + stride.factor);
  }

  std::string written(const TokenRange& range) const {
    const std::size_t begin = tokens_[range.first].begin;
    return std::string(source_.code.substr(begin, tokens_[range.last].end() - begin));
  }

  void replace(const Sum& sum, const TokenRange& part, const std::string& now) {
    const std::size_t begin = tokens_[part.first].begin, end = tokens_[part.last].end();
    const std::size_t whole = tokens_[sum.front().tokens.first].begin;
    std::string text = written({sum.front().tokens.first, sum.back().tokens.last});
    const std::string before = text;
    text.replace(begin - whole, end - begin, now);
    if (text.size() > kLongestCode || text.find('\n') != std::string::npos) return;
    propose(PatchKind::arithmetic, begin, end, now, in_place_of(text, before));
  }

  std::vector<std::pair<std::size_t, Sum>> sums_;       // with the function's body
  std::map<std::size_t, std::vector<Stride>> strides_;  // of each body
};

}  // namespace

void add_strides(const PatchedSource& source, std::vector<Patch>& patches) {
  Strides(source, patches).add();
}

}  // namespace cudalabs::patch
