#include "patch/operators/conjunct_patches.h"

#include <string>
#include <utility>

#include "patch/declared_variables.h"
#include "patch/operators/patch_operator.h"
#include "patch/operators/patch_words.h"
#include "patch/token_roles.h"

namespace cudalabs::patch {
namespace {

constexpr std::size_t kMostParts = 8;
constexpr std::size_t kLongestFlagConjunction = 60;  // tokens

class Conjuncts : PatchOperator {
 public:
  using PatchOperator::PatchOperator;

  void add() {
    std::vector<Chain> open(1);
    for (std::size_t at = 0; at < tokens_.size(); ++at) {
      const Token& token = tokens_[at];
      if (token.kind == TokenKind::open) {
        open.emplace_back().begin = at + 1;
      } else if (token.kind == TokenKind::close) {
        end(open.back(), at);
        if (open.size() > 1) open.pop_back();
      } else if (token.is("&&")) {
        open.back().signs.push_back(at);
      } else if (token.is("||")) {
        open.back().has_or = true;
      } else if (separates(token)) {
        end(open.back(), at);
        open.back() = Chain{.begin = at + 1, .signs = {}, .has_or = false};
      }
    }
  }

 private:
  struct Chain {
    std::size_t begin = 0;
    std::vector<std::size_t> signs;  // tokens
    bool has_or = false;
  };

  static bool separates(const Token& token) {
    return token.is(";") || token.is(",") || token.is("?") || token.is(":") || token.is("=") || token.is("return");
  }

  /// Empty: there are too many.
  std::vector<TokenRange> parts_of(std::size_t begin, const std::vector<std::size_t>& signs, std::size_t behind) const {
    std::vector<TokenRange> parts;
    if (signs.size() + 1 > kMostParts) return parts;
    std::size_t first = begin;
    for (std::size_t i = 0; i <= signs.size(); ++i) {
      const std::size_t end = i < signs.size() ? signs[i] : behind;
      if (end <= first) return {};
      parts.push_back({first, end - 1});
      first = end + 1;
    }
    return parts;
  }

  void end(const Chain& chain, std::size_t behind) {
    const bool is_condition = !chain.signs.empty() && !chain.has_or && roles_.in_body(chain.signs.front());
    if (!is_condition || roles_.is(chain.begin - 1, "for")) return;
    const std::vector<TokenRange> parts = parts_of(chain.begin, chain.signs, behind);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (parts.size() > 2) add_without(parts, i);
      if (parts[i].first == parts[i].last) add_parts_of_flag(parts[i].first);
    }
  }

  void add_without(const std::vector<TokenRange>& parts, std::size_t number) {
    const std::size_t begin = number == 0 ? tokens_[parts[0].first].begin : tokens_[parts[number - 1].last].end();
    const std::size_t end = number == 0 ? tokens_[parts[1].first].begin : tokens_[parts[number].last].end();
    const std::string part = text_of(parts[number]);
    if (part.size() > kLongestCode || part.find('\n') != std::string::npos) return;
    propose(PatchKind::condition, begin, end, "", "without `" + part + "` in the condition");
  }

  void add_parts_of_flag(std::size_t at) {
    const DeclaredVariable* flag = roles_.is_value_name(at) ? variables_.meant_at(at) : nullptr;
    if (flag == nullptr || flag->at == at || flag->place != VariablePlace::local || !flag->has_value()) return;
    if (flag->type != "bool" && flag->type != "auto" && flag->type != "int") return;
    if (flag->value.last - flag->value.first > kLongestFlagConjunction) return;
    std::vector<std::size_t> signs;
    for (std::size_t token = flag->value.first; token <= flag->value.last; ++token) {
      if (roles_.is(token, "||") || roles_.is(token, "?")) return;
      if (roles_.is(token, "&&")) signs.push_back(token);
      const bool opens = tokens_[token].kind == TokenKind::open && roles_.partner(token) != kNoToken;
      if (opens) token = roles_.partner(token);
    }
    if (signs.empty()) return;
    const Token& name = tokens_[at];
    for (const TokenRange& part : parts_of(flag->value.first, signs, flag->value.last + 1)) {
      std::string text = text_of(part);
      if (text.size() + name.text.size() > kLongestCode || text.find('\n') != std::string::npos) continue;
      std::string words = in_place_of(text, name.text);
      propose(PatchKind::condition, name.begin, name.end(), std::move(text), std::move(words));
    }
  }
};

}  // namespace

void add_conjuncts(const PatchedSource& source, std::vector<Patch>& patches) {
  Conjuncts(source, patches).add();
}

}  // namespace cudalabs::patch
