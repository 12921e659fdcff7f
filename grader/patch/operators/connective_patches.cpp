#include "patch/operators/connective_patches.h"

#include <string>
#include <string_view>
#include <utility>

#include "patch/operators/patch_operator.h"
#include "patch/operators/patch_words.h"
#include "patch/token_roles.h"

namespace cudalabs::patch {
namespace {

/// Connectives of one kind that follow each other in one condition: a mistake in one is often one in all.
class Chains : PatchOperator {
 public:
  Chains(const PatchedSource& source, std::vector<Patch>& patches) : PatchOperator(source, patches), open_(1) {}

  void add(std::size_t at) {
    Chain& chain = open_.back();
    if (!chain.empty() && !source_.tokens[chain.back()].is(source_.tokens[at].text)) end();
    open_.back().push_back(at);
  }

  /// What is no connective ends a chain, or leads into brackets, or out of them.
  void pass(const Token& token) {
    if (token.kind == TokenKind::open) {
      open_.emplace_back();
    } else if (token.kind == TokenKind::close) {
      end();
      if (open_.size() > 1) open_.pop_back();
    } else if (token.is(";") || token.is(",") || token.is("?") || token.is(":")) {
      end();
    }
  }

 private:
  using Chain = std::vector<std::size_t>;  // indices of tokens

  void end() {
    Chain chain;
    chain.swap(open_.back());
    if (chain.size() < 2) return;
    const Token &first = source_.tokens[chain.front()], &last = source_.tokens[chain.back()];
    const std::string_view other = first.is("&&") ? "||" : "&&";
    std::string text(source_.code.substr(first.begin, last.end() - first.begin));
    for (const std::size_t at : chain) text.replace(source_.tokens[at].begin - first.begin, 2, other);
    propose(PatchKind::connective, first.begin, last.end(), std::move(text),
            "`" + std::string(other) + "` in place of each `" + std::string(first.text) + "`");
  }

  std::vector<Chain> open_;  // of the brackets that are open, innermost last
};

}  // namespace

void add_connectives(const PatchedSource& source, std::vector<Patch>& patches) {
  const TokenRoles& roles = source.roles;
  Chains chains(source, patches);
  for (std::size_t at = 0; at < source.tokens.size(); ++at) {
    const Token& token = source.tokens[at];
    if (token.is("static_assert") && roles.is(at + 1, "(")) {
      at = roles.partner(at + 1);
      continue;
    }
    const bool is_connective = token.is("&&") || token.is("||");
    if (!is_connective || !roles.in_body(at) || !roles.is_binary(at)) {
      chains.pass(token);
      continue;
    }
    chains.add(at);
    const std::string_view other = token.is("&&") ? "||" : "&&";
    add_replacement(source, PatchKind::connective, token, other, patches);
  }
}

}  // namespace cudalabs::patch
