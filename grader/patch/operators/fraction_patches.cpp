#include "patch/operators/fraction_patches.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "patch/declared_variables.h"
#include "patch/operators/patch_operator.h"
#include "patch/operators/patch_words.h"
#include "patch/token_roles.h"
#include "patch/uses.h"

namespace cudalabs::patch {
namespace {

bool is_word_of_whole_type(std::string_view word) {
  constexpr std::array<std::string_view, 9> kWords{"int",  "unsigned", "signed", "long",   "short",
                                                   "char", "size_t",   "uint",   "int64_t"};
  return std::ranges::find(kWords, word) != kWords.end();
}

bool is_type_of_fractions(std::string_view type) {
  return type == "float" || type == "double";
}

/// "float" of "const float*" and "float[]".
std::string_view element_type(std::string_view type) {
  if (type.starts_with("const ")) type.remove_prefix(6);
  return type.substr(0, type.find_first_of("*[ "));
}

class Fractions : PatchOperator {
 public:
  using PatchOperator::PatchOperator;

  void add() {
    for (std::size_t at = 1; at + 1 < tokens_.size(); ++at) {
      if (!roles_.in_body(at) || !is_assignment_sign(tokens_[at])) continue;
      const DeclaredVariable* variable = assigned_before(at);
      if (variable == nullptr || variable->place != VariablePlace::local || changed_.contains(variable->at)) continue;
      const std::string_view type = type_of_value(at + 1);
      if (!type.empty()) change_type(*variable, type);
    }
  }

 private:
  /// The variable, or the array, that is assigned to by the sign; nullptr: it is something else.
  const DeclaredVariable* assigned_before(std::size_t sign) const {
    std::size_t at = sign - 1;
    while (at > 0 && roles_.is(at, "]") && roles_.partner(at) != kNoToken && roles_.partner(at) > 0)
      at = roles_.partner(at) - 1;
    if (!roles_.has_kind(at, TokenKind::name) || at == 0 || !is_own_name(tokens_, at)) return nullptr;
    return variables_.meant_at(at);
  }

  /// `float` or `double`, if the value that begins there is one, as far as its variables and numbers tell; empty: it is
  /// not known, or made a whole number there.
  std::string_view type_of_value(std::size_t at) const {
    constexpr std::size_t kLongestValue = 60;  // tokens
    std::string_view type;
    const std::size_t end = std::min(tokens_.size(), at + kLongestValue);
    for (; at < end && !tokens_[at].is(";") && !tokens_[at].is("{"); ++at) {
      if (is_word_of_whole_type(tokens_[at].text) || tokens_[at].is("sizeof")) return {};
      const std::string_view own = type_at(at);
      if (own == "double" || type.empty()) type = own;
    }
    return type;
  }

  std::string_view type_at(std::size_t at) const {
    const Token& token = tokens_[at];
    if (token.kind == TokenKind::number) {
      const bool is_hexadecimal = token.text.starts_with("0x") || token.text.starts_with("0X");
      return token.text.find('.') == std::string_view::npos || is_hexadecimal ? "" : "float";
    }
    if (token.kind != TokenKind::name || !is_own_name(tokens_, at)) return {};
    const DeclaredVariable* variable = variables_.meant_at(at);
    if (variable == nullptr || (variable->is_pointer() && !roles_.is(at + 1, "["))) return {};
    const std::string_view type = element_type(variable->type);
    return is_type_of_fractions(type) ? type : std::string_view();
  }

  /// Of a declaration of this variable alone, or as the first of several.
  void change_type(const DeclaredVariable& variable, std::string_view type) {
    std::size_t first = variable.at;
    while (first > 0 && is_word_of_whole_type(tokens_[first - 1].text)) --first;
    if (first == variable.at || roles_.is(first - 1, "::")) return;
    changed_.insert(variable.at);
    const std::size_t begin = tokens_[first].begin, end = tokens_[variable.at - 1].end();
    const std::string_view before = source_.code.substr(begin, end - begin);
    propose(PatchKind::declaration, begin, end, std::string(type),
            in_place_of(type, before) + " as the type of `" + std::string(variable.name) + "`");
  }

  std::set<std::size_t> changed_;  // where they are declared
};

}  // namespace

void add_fractions(const PatchedSource& source, std::vector<Patch>& patches) {
  Fractions(source, patches).add();
}

}  // namespace cudalabs::patch
