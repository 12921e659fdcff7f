#include "patch/operators/name_patches.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "patch/declared_variables.h"
#include "patch/expression_segments.h"
#include "patch/macro_numbers.h"
#include "patch/operators/patch_operator.h"
#include "patch/operators/patch_words.h"
#include "patch/own_calls.h"
#include "patch/partner_names.h"

namespace cudalabs::patch {
namespace {

constexpr std::size_t kMostAlike = 16;    // variables that may be taken for one another
constexpr std::size_t kFewAlike = 3;      // of more, only names that nearly are the same
constexpr std::size_t kFewArguments = 6;  // likewise, where one is what another function is given
constexpr std::size_t kLongestPart = 24;  // tokens of an expression

/// Variables of one key may be taken for one another: their function, or the end of their class, their type, and how
/// their value is computed.
using AlikeKey = std::tuple<std::size_t, std::size_t, std::string, std::string>;

/// "BM" and "BK".
bool differ_in_one_letter(std::string_view left, std::string_view right) {
  if (left.size() != right.size() || left.size() == 1) return false;
  std::size_t differences = 0;
  for (std::size_t at = 0; at < left.size(); ++at) differences += left[at] != right[at] ? 1 : 0;
  return differences == 1;
}

class Names : PatchOperator {
 public:
  Names(const PatchedSource& source, std::vector<Patch>& patches)
      : PatchOperator(source, patches), segments_(expression_segments(source)), calls_(source) {
    for (std::size_t at = 0; at < tokens_.size(); ++at) {
      if (tokens_[at].kind == TokenKind::name && roles_.in_body(at)) used_.insert(tokens_[at].text);
    }
    for (const DeclaredVariable& variable : variables_.all()) {
      if (!variable.is_integer()) continue;
      const bool is_global = variable.place == VariablePlace::outside || variable.place == VariablePlace::member;
      if (!is_global || used_.contains(variable.name)) alike_[key_of(variable)].push_back(&variable);
      if (variable.place == VariablePlace::member) members_[variable.name] = &variable;
    }
    add_macros();
    for (const ExpressionSegment& segment : segments_) {
      if (is_list(segment.open)) listed_.insert({segment.open, compact_text(segment.tokens, tokens_)});
    }
  }

  void add() {
    for (const ExpressionSegment& segment : segments_) {
      if (segment.tokens.last - segment.tokens.first < kLongestPart && is_looked_at(segment)) add_names_of(segment);
    }
  }

 private:
  void add_macros() {
    for (const std::string_view name : macro_numbers(source_.code)) {
      if (!used_.contains(name)) continue;
      DeclaredVariable macro;
      macro.name = name;
      macro.type = "int";
      macro.end = kNoToken;
      macro.place = VariablePlace::outside;
      macros_.emplace(name, macro);
    }
    for (const auto& [name, macro] : macros_) alike_[key_of(macro)].push_back(&macro);
  }

  /// "N.N*N+N" of "blockIdx.x * TILE + tx".
  std::string shape_of(const TokenRange& value) const {
    std::string shape;
    for (std::size_t at = value.first; at <= std::min(value.last, value.first + kLongestPart); ++at) {
      const bool is_name = tokens_[at].kind == TokenKind::name;
      shape +=
          is_name ? (tokens_[at].text.ends_with("Idx") ? tokens_[at].text : std::string_view("N")) : tokens_[at].text;
    }
    return shape;
  }

  AlikeKey key_of(const DeclaredVariable& variable) const {
    if (variable.place == VariablePlace::parameter) return {variable.body, 0, variable.type, "parameter"};
    if (variable.place == VariablePlace::outside || variable.place == VariablePlace::member) {
      return {kNoToken, variable.end, variable.type, "outside"};
    }
    // Without a value it is like no other one.
    const std::string shape = variable.has_value() ? shape_of(variable.value) : std::string(variable.name);
    return {variable.body, 0, variable.type, shape};
  }

  bool is_list(std::size_t open) const {
    return open != kNoToken && (roles_.is(open, "(") || roles_.is(open, "<<<") || roles_.is(open, "["));
  }

  /// In an argument, an index, a bound, or computed; not a mere copy.
  bool is_looked_at(const ExpressionSegment& segment) const {
    if (roles_.is(segment.open, "[")) return segment.open > 0 && roles_.ends_value(segment.open - 1);
    if (is_list(segment.open) || roles_.is(segment.tokens.first - 1, "<") || roles_.is(segment.tokens.last + 1, "<")) {
      return true;
    }
    for (std::size_t at = segment.tokens.first; at <= segment.tokens.last; ++at) {
      if (is_arithmetic(tokens_[at].text) && roles_.is_binary(at)) return true;
    }
    return false;
  }

  /// The variable whose value is used there; nullptr: there is none.
  const DeclaredVariable* used_at(std::size_t at) const {
    if (!roles_.is_value_name(at) || roles_.is(at + 1, "(") || roles_.is(at + 1, "::")) return nullptr;
    const std::string_view next = roles_.text(at + 1), before = roles_.text(at - 1);
    if (next == "=" || next == "++" || next == "--" || next == "+=" || next == "-=" || next == "*=" || next == "/=" ||
        next == ">>=" || next == "<<=" || before == "++" || before == "--" || before == "&") {
      return nullptr;
    }
    if (before == "." || before == "->" || before == "::") {
      const auto found = members_.find(tokens_[at].text);
      return found == members_.end() ? nullptr : found->second;
    }
    if (const auto macro = macros_.find(tokens_[at].text); macro != macros_.end()) return &macro->second;
    const DeclaredVariable* variable = variables_.meant_at(at);
    return variable != nullptr && variable->at != at && variable->is_integer() ? variable : nullptr;
  }

  void add_names_of(const ExpressionSegment& segment) {
    std::map<std::string_view, std::vector<std::size_t>> places;
    std::vector<std::pair<std::size_t, const DeclaredVariable*>> used;
    for (std::size_t at = segment.tokens.first; at <= segment.tokens.last; ++at) {
      const DeclaredVariable* variable = used_at(at);
      if (variable == nullptr) continue;
      std::vector<std::size_t>& same = places[tokens_[at].text];
      same.push_back(at);
      if (same.size() == 1) used.emplace_back(at, variable);
    }
    for (const auto& [at, variable] : used) {
      const std::vector<const DeclaredVariable*>& alike = alike_[key_of(*variable)];
      // "for (int k = 0;": one of two, where there are more loops.
      const bool is_counter = variable->value.first == variable->value.last && variable->place == VariablePlace::local;
      if (is_counter && alike.size() >= kFewAlike) continue;
      const bool is_constant = variable->place == VariablePlace::outside || roles_.is(at - 1, "::");
      if (alike.size() > kMostAlike) continue;
      const bool may_be_any = !is_constant || may_mean_other_constant(segment, alike.size());
      const std::size_t few = is_parameter_handed_on(*variable, segment) ? kFewArguments : kFewAlike;
      for (const DeclaredVariable* other : alike) {
        const bool partners = is_constant && is_counted_with(segment) && are_partner_names(other->name, variable->name);
        const bool near = alike.size() <= few || differ_in_one_letter(other->name, variable->name);
        const bool may_be_meant = partners || (may_be_any && near);
        if (!may_be_meant || !can_stand_at(*other, at) || places.contains(other->name)) continue;
        add_name(segment, places.at(variable->name), other->name);
      }
    }
  }

  /// "fetch(a, row, m, n)": sizes are mixed up where they are handed on.
  bool is_parameter_handed_on(const DeclaredVariable& variable, const ExpressionSegment& segment) const {
    return variable.place == VariablePlace::parameter && segment.tokens.first == segment.tokens.last &&
           calls_.argument_for(segment.tokens, segment.open).has_value();
  }

  /// No size of an array: something else is in the expression than constants.
  bool is_counted_with(const ExpressionSegment& segment) const {
    const TokenRange& tokens = segment.tokens;
    bool has_other = false;
    for (std::size_t at = tokens.first; at <= tokens.last; ++at) {
      const DeclaredVariable* variable = used_at(at);
      has_other = has_other || (tokens_[at].kind == TokenKind::name &&
                                (variable == nullptr || variable->place != VariablePlace::outside));
    }
    return has_other || !roles_.is(segment.open, "[");
  }

  /// Two are easily taken for one another; of more, one where something is counted with it. No sizes of arrays.
  bool may_mean_other_constant(const ExpressionSegment& segment, std::size_t alike) const {
    const TokenRange& tokens = segment.tokens;
    bool divides = false;
    for (std::size_t at = tokens.first; at <= tokens.last; ++at)
      divides = divides || roles_.is(at, "/") || roles_.is(at, "sizeof");
    if (!is_counted_with(segment)) return false;
    return alike < kFewAlike || divides || roles_.is(tokens.first - 1, "<");
  }

  bool can_stand_at(const DeclaredVariable& other, std::size_t at) const {
    const bool is_member_use = roles_.is(at - 1, ".") || roles_.is(at - 1, "->") || roles_.is(at - 1, "::");
    return is_member_use || other.end == kNoToken || variables_.meant_of(other.name, at) == &other;
  }

  void add_name(const ExpressionSegment& segment, const std::vector<std::size_t>& uses, std::string_view other) {
    const bool rounds_up = uses.size() > 1 && uses.back() > 0 && divides_by(uses.back());
    if (rounds_up) {
      change_names(segment, uses, other);
    } else {
      for (const std::size_t use : uses) change_names(segment, {use}, other);
    }
  }

  /// "/ n" and "/ C::BM".
  bool divides_by(std::size_t use) const {
    return roles_.is(use - 1, "/") || (roles_.is(use - 1, "::") && use > 2 && roles_.is(use - 3, "/"));
  }

  void change_names(const ExpressionSegment& segment, const std::vector<std::size_t>& uses, std::string_view other) {
    const std::string_view name = tokens_[uses[0]].text;
    std::string text;
    for (std::size_t at = segment.tokens.first; at <= segment.tokens.last; ++at) {
      text += std::ranges::find(uses, at) != uses.end() ? other : tokens_[at].text;
    }
    if (stands_beside(segment, text)) return;
    const std::size_t begin = tokens_[uses[0]].begin, end = tokens_[uses.back()].end();
    std::string replacement(source_.code.substr(begin, end - begin));
    for (auto use = uses.rbegin(); use != uses.rend(); ++use) {
      replacement.replace(tokens_[*use].begin - begin, name.size(), other);
    }
    std::string words = in_place_of(other, name);
    if (const auto argument = calls_.argument_for(segment.tokens, segment.open))
      words += " for `" + std::string(argument->parameter) + "` of `" + std::string(argument->function) + "`";
    propose(PatchKind::name, begin, end, std::move(replacement), std::move(words));
  }

  /// The same would stand twice in one list or condition, or in two indices side by side: that is seldom meant.
  bool stands_beside(const ExpressionSegment& segment, const std::string& text) const {
    if (listed_.contains({segment.open, text})) return true;
    if (!roles_.is(segment.open, "[")) return false;
    const std::size_t close = roles_.partner(segment.open);
    const bool is_before = roles_.is(close + 1, "[") && listed_.contains({close + 1, text});
    const bool is_behind = segment.open > 0 && roles_.is(segment.open - 1, "]") &&
                           listed_.contains({roles_.partner(segment.open - 1), text});
    return is_before || is_behind;
  }

  std::vector<ExpressionSegment> segments_;
  OwnCalls calls_;
  std::set<std::string_view> used_;
  std::map<std::string_view, DeclaredVariable> macros_;
  std::map<AlikeKey, std::vector<const DeclaredVariable*>> alike_;
  std::map<std::string_view, const DeclaredVariable*> members_;
  std::set<std::pair<std::size_t, std::string>> listed_;  // brackets, and what stands in each
};

}  // namespace

void add_names(const PatchedSource& source, std::vector<Patch>& patches) {
  Names(source, patches).add();
}

}  // namespace cudalabs::patch
