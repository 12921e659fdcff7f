#include "patch/operators/exchange_patches.h"

#include <algorithm>
#include <array>
#include <string>

#include "patch/declared_variables.h"
#include "patch/operators/patch_operator.h"
#include "patch/operators/patch_words.h"
#include "patch/partner_names.h"

namespace cudalabs::patch {
namespace {

constexpr std::size_t kLongestItem = 40;  // letters

/// The order of what they take does not matter, or is seen in words only.
bool takes_any_order(std::string_view callee) {
  constexpr std::array<std::string_view, 17> kCallees{
      "min",     "max",     "fmin",     "fmax",  "fminf", "fmaxf",         "swap",   "printf",
      "fprintf", "sprintf", "snprintf", "fputs", "puts",  "static_assert", "assert", "forward_as_tuple",
      "tie"};
  return std::ranges::find(kCallees, callee) != kCallees.end();
}

bool has_no_arguments(std::string_view word) {
  return word == "if" || word == "for" || word == "while" || word == "switch" || word == "sizeof" || word == "catch" ||
         word == "operator";
}

class Exchanges : PatchOperator {
 public:
  using PatchOperator::PatchOperator;

  void add() {
    for (std::size_t at = 1; at < tokens_.size(); ++at) {
      if (roles_.is(at, "]") && roles_.is(at + 1, "[") && roles_.in_body(at)) add_indices(at);
      if (!roles_.in_body(at) || !is_list(at)) continue;
      const std::vector<TokenRange> items = roles_.items(at);
      for (std::size_t which = 0; which + 1 < items.size(); ++which) {
        // Behind the grid and the block of a launch are bytes and a stream.
        if (roles_.is(at, "<<<") && which > 0) break;
        add_exchange(items[which], items[which + 1], which + 1);
      }
    }
  }

 private:
  /// "tile[x][y]"; where `close` is the first index's bracket.
  void add_indices(std::size_t close) {
    const TokenRange left{roles_.partner(close) + 1, close - 1}, right{close + 2, roles_.partner(close + 1) - 1};
    if (left.first < 3 || left.first > left.last || right.first > right.last || !is_short(left) || !is_short(right)) {
      return;
    }
    const DeclaredVariable* array = variables_.meant_at(left.first - 2);
    const bool declares = array == nullptr || array->at == left.first - 2 || are_numbers(left, right);
    // "float tile[TILE_W][TILE_H]"
    const bool may_be_meant = !declares || are_partner_names(text_of(left), text_of(right));
    if (may_be_meant && text_of(left) != text_of(right)) exchange(left, right, 1);
  }

  bool is_list(std::size_t at) const {
    const Token &token = tokens_[at], &before = tokens_[at - 1];
    if (token.is("<<<")) return true;
    if (token.is("[")) return before.is("auto") || ((before.is("&") || before.is("&&")) && roles_.is(at - 2, "auto"));
    if (token.is("{")) {
      return before.kind == TokenKind::name || before.is("=") || before.is("(") || before.is(",") ||
             (before.is(">") && roles_.in_template(at - 1));
    }
    if (!token.is("(") || has_no_arguments(before.text) || takes_any_order(before.text)) return false;
    const bool is_template = roles_.in_template(at - 1);
    const std::size_t angle = is_template ? roles_.partner(at - 1) : kNoToken;
    if (is_template && (angle == kNoToken || angle == 0 || takes_any_order(tokens_[angle - 1].text))) return false;
    return before.kind == TokenKind::name || before.is(">>>") || is_template;
  }

  /// What is known of an item's type; empty: nothing.
  std::string type_of(const TokenRange& item) const {
    const Token& first = tokens_[item.first];
    if (first.is("&")) return "*";
    const bool is_single = item.first == item.last;
    if (is_single && first.kind == TokenKind::number) {
      return first.text.find('.') == std::string_view::npos ? "integer" : "fraction";
    }
    if (is_single && first.text.starts_with("cudaMemcpy")) return "direction";
    if (is_single && (first.is("nullptr") || first.is("NULL"))) return "*";
    if (is_single && (first.is("true") || first.is("false"))) return "bool";
    if (is_single) return type_of_variable(item.first);
    if (first.is("sizeof")) return "integer";
    return type_of_sum(item);
  }

  std::string type_of_variable(std::size_t at) const {
    const DeclaredVariable* variable = variables_.meant_at(at);
    if (variable == nullptr || variable->type.find("auto") != std::string::npos) return "";
    if (variable->is_integer()) return "integer";
    if (variable->type == "float" || variable->type == "double") return "fraction";
    return variable->type;
  }

  /// "n + 1", "p * sizeof(float)", "a + row * n".
  std::string type_of_sum(const TokenRange& item) const {
    bool has_operator = false;
    for (std::size_t at = item.first; at <= item.last; ++at) {
      if (roles_.partner(at) != kNoToken && roles_.partner(at) > at) {
        at = roles_.partner(at);
      } else if (roles_.is_binary(at)) {
        has_operator = true;
      }
    }
    if (!has_operator) return shape_of(item);
    const DeclaredVariable* variable = variables_.meant_at(item.first);
    return variable != nullptr && variable->is_pointer() ? variable->type : "integer";
  }

  /// "N.data()" of "d_a.data()": alike are of one type.
  std::string shape_of(const TokenRange& item) const {
    std::string shape;
    for (std::size_t at = item.first; at <= item.last; ++at) {
      const bool is_callee = roles_.is(at + 1, "(") || (at > 0 && (roles_.is(at - 1, ".") || roles_.is(at - 1, "->")));
      const bool is_any = !is_callee && (tokens_[at].kind == TokenKind::name || tokens_[at].kind == TokenKind::number);
      shape += is_any ? std::string_view("N") : tokens_[at].text;
    }
    return shape;
  }

  bool is_short(const TokenRange& item) const {
    if (length_of(item) > kLongestItem) return false;
    for (std::size_t at = item.first; at <= item.last; ++at) {
      const Token& token = tokens_[at];
      if (token.kind == TokenKind::literal || token.is("{") || token.is("=") || token.text.starts_with("0x"))
        return false;
      // "int n": a declaration.
      const bool declares = at < item.last && token.kind == TokenKind::name && tokens_[at + 1].kind == TokenKind::name;
      if (declares || (token.is("...") || token.text.starts_with("cudaMemcpy"))) return false;
    }
    return true;
  }

  /// `which`: the left one's place in the list, from 1.
  void add_exchange(const TokenRange& left, const TokenRange& right, std::size_t which) {
    if (!is_short(left) || !is_short(right)) return;
    const std::string left_text = text_of(left), right_text = text_of(right);
    const std::string left_type = type_of(left), right_type = type_of(right);
    const bool may_be_same =
        (left_type == right_type && !are_numbers(left, right)) || is_launch_or_shape(left.first - 1);
    if (left_text != right_text && may_be_same) exchange(left, right, which);
  }

  void exchange(const TokenRange& left, const TokenRange& right, std::size_t which) {
    const std::string left_text = text_of(left), right_text = text_of(right);
    const std::size_t begin = tokens_[left.first].begin, end = tokens_[right.last].end();
    const std::size_t gap = tokens_[left.last].end();
    const std::string_view between = source_.code.substr(gap, tokens_[right.first].begin - gap);
    std::string replacement(right_text);
    replacement += between;
    replacement += left_text;
    propose(PatchKind::exchange, begin, end, std::move(replacement), words_of(left_text, right_text, which));
  }

  /// Each written out: they are seldom in a wrong order.
  bool are_numbers(const TokenRange& left, const TokenRange& right) const {
    return left.first == left.last && right.first == right.last && tokens_[left.first].kind == TokenKind::number &&
           tokens_[right.first].kind == TokenKind::number;
  }

  static std::string words_of(std::string_view left, std::string_view right, std::size_t which) {
    if (left.size() + right.size() <= kLongestCode) return exchanged(left, right);
    const std::string first = std::to_string(which), second = std::to_string(which + 1);
    return "values " + first + " and " + second + " of these brackets exchanged";
  }

  /// Behind `<<<`, `[` of a binding or "dim3 block(": any two may be exchanged.
  bool is_launch_or_shape(std::size_t open) const {
    if (roles_.is(open, "<<<") || roles_.is(open, "[")) return true;
    const bool is_list = roles_.is(open, "(") || roles_.is(open, "{");
    return is_list && open > 1 && (roles_.is(open - 1, "dim3") || roles_.is(open - 2, "dim3"));
  }
};

}  // namespace

void add_exchanges(const PatchedSource& source, std::vector<Patch>& patches) {
  Exchanges(source, patches).add();
}

}  // namespace cudalabs::patch
