#include "patch/operators/narrow_type_patches.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "patch/declared_variables.h"
#include "patch/operators/patch_operator.h"
#include "patch/operators/patch_words.h"
#include "patch/token_roles.h"
#include "patch/uses.h"
#include "source/narrow_type.h"

namespace cudalabs::patch {
namespace {

constexpr std::int64_t kValuesOf16Bits = 65536;
constexpr std::size_t kLongestNarrowValue = 60;  // tokens

/// Where the source has such a type: tokens, both its own.
struct NarrowPlace {
  std::size_t first = 0, last = 0;
  bool has_16_bits = false;
};

class NarrowTypes : PatchOperator {
 public:
  using PatchOperator::PatchOperator;

  void add() {
    find_computed();
    for (std::size_t at = 0; at < tokens_.size(); ++at) {
      const auto place = place_at(at);
      if (!place) continue;
      if (is_too_narrow(*place)) widen(*place);
      at = place->last;
    }
  }

 private:
  bool is_word_of_type(std::size_t at) const {
    constexpr std::array<std::string_view, 5> kWords{"short", "char", "int", "unsigned", "signed"};
    return std::ranges::find(kWords, roles_.text(at)) != kWords.end();
  }

  std::optional<NarrowPlace> place_at(std::size_t at) const {
    if (tokens_[at].kind != TokenKind::name) return std::nullopt;
    if (is_word_of_type(at)) return place_of_words(at);
    const auto type = narrow_type_at(source_.code, tokens_[at].begin);
    if (!type) return std::nullopt;
    const bool is_of_std = at >= 2 && roles_.is(at - 1, "::") && roles_.is(at - 2, "std");
    const std::size_t first = is_of_std ? at - 2 : at;
    return NarrowPlace{first, at, type->type.values() == kValuesOf16Bits};
  }

  /// "short", "unsigned char", "short unsigned int": the words may have any order.
  std::optional<NarrowPlace> place_of_words(std::size_t at) const {
    NarrowPlace place{at, at, false};
    bool is_narrow = false;
    for (std::size_t word = at; is_word_of_type(word); ++word) {
      place.last = word;
      place.has_16_bits |= roles_.is(word, "short");
      is_narrow |= roles_.is(word, "short") || roles_.is(word, "char");
    }
    return is_narrow ? std::optional(place) : std::nullopt;
  }

  /// Behind the type, and behind the `const` of "short const sum".
  std::size_t past_type(const NarrowPlace& place) const {
    return roles_.is(place.last + 1, "const") ? place.last + 2 : place.last + 1;
  }

  /// What is given something computed behind its declaration, counted or summed up: the tokens of the declarations.
  void find_computed() {
    for (std::size_t at = 1; at + 1 < tokens_.size(); ++at) {
      const bool counts = roles_.is(at, "++") || roles_.is(at, "--");
      if (!roles_.in_body(at) || (!counts && !is_assignment_sign(tokens_[at]))) continue;
      if (roles_.is(at, "=") && !is_computed_behind(at)) continue;
      std::size_t name = at - 1;
      while (name > 0 && roles_.is(name, "]") && roles_.partner(name) != kNoToken && roles_.partner(name) > 0)
        name = roles_.partner(name) - 1;
      if (counts && !is_own_name(tokens_, name)) name = at + 1;
      const DeclaredVariable* const variable = is_own_name(tokens_, name) ? variables_.meant_at(name) : nullptr;
      if (variable != nullptr) computed_.insert(variable->at);
    }
  }

  bool is_computed_behind(std::size_t sign) const {
    const std::size_t end = std::min(tokens_.size(), sign + kLongestNarrowValue);
    for (std::size_t at = sign + 1; at < end && !roles_.is(at, ";"); ++at) {
      const bool widens = roles_.is(at, "+") || roles_.is(at, "-") || roles_.is(at, "*") || roles_.is(at, "<<");
      if (widens && roles_.is_binary(at)) return true;
      if (roles_.is(at, "[") && roles_.partner(at) != kNoToken) at = roles_.partner(at);
    }
    return false;
  }

  bool is_too_narrow(const NarrowPlace& place) const {
    const std::size_t behind = past_type(place);
    if (place.first == 0 || behind >= tokens_.size()) return false;
    if (is_conversion(place)) return place.has_16_bits && roles_.in_body(place.first);
    if (roles_.has_kind(behind, TokenKind::name)) {
      if (roles_.is(behind + 1, "(") && place.has_16_bits && is_function(behind)) return true;
      return is_narrow_variable(place);
    }
    // "using Sum = short;"
    return place.has_16_bits && roles_.is(behind, ";") && roles_.is(place.first - 1, "=") && place.first >= 3 &&
           roles_.is(place.first - 3, "using");
  }

  /// "(short)x", "short(x)", "static_cast<short>(x)".
  bool is_conversion(const NarrowPlace& place) const {
    const std::size_t behind = place.last + 1;
    if (roles_.is(behind, ")")) return roles_.ends_cast(behind) && roles_.is(place.first - 1, "(");
    if (roles_.is(behind, ">"))
      return place.first >= 2 && roles_.is(place.first - 1, "<") && roles_.is(place.first - 2, "static_cast");
    return roles_.is(behind, "(") &&
           (roles_.is(place.first - 1, "return") || !roles_.has_kind(place.first - 1, TokenKind::name));
  }

  /// It has a body.
  bool is_function(std::size_t name) const {
    const std::size_t close = roles_.partner(name + 1);
    if (roles_.in_body(name) || close == kNoToken) return false;
    return roles_.is(close + 1, "{") || (roles_.is(close + 1, "const") && roles_.is(close + 2, "{"));
  }

  bool is_narrow_variable(const NarrowPlace& place) const {
    std::size_t name = past_type(place);
    const DeclaredVariable* const first = variables_.meant_at(name);
    if (first == nullptr || first->at != name) return false;
    if (first->place == VariablePlace::parameter) return place.has_16_bits && !first->is_pointer();
    if (first->place != VariablePlace::local) return false;
    // "short a = 0, b = f + g;" has one type for all.
    const std::size_t end = std::min(tokens_.size(), name + kLongestNarrowValue);
    for (; name < end && !roles_.is(name, ";"); ++name) {
      const DeclaredVariable* const each = is_own_name(tokens_, name) ? variables_.meant_at(name) : nullptr;
      if (each == nullptr || each->at != name || each->type.ends_with('*')) continue;
      const bool computed_here = each->has_value() && is_computed_behind(each->value.first - 1);
      if (computed_here || computed_.contains(each->at)) return true;
    }
    return false;
  }

  void widen(const NarrowPlace& place) {
    const std::size_t begin = tokens_[place.first].begin, end = tokens_[place.last].end();
    const std::string_view before = source_.code.substr(begin, end - begin);
    propose(PatchKind::number, begin, end, "int", in_place_of("int", before));
  }

  std::set<std::size_t> computed_;
};

}  // namespace

void add_narrow_types(const PatchedSource& source, std::vector<Patch>& patches) {
  NarrowTypes(source, patches).add();
}

}  // namespace cudalabs::patch
