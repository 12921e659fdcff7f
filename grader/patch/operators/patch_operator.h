// What the operators have in common.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "patch/add_patch.h"
#include "patch/operators/patch_words.h"
#include "patch/patched_source.h"
#include "patch/uses.h"

namespace cudalabs::patch {

/// Reads one source, and adds its changes to one list; both outlive it.
class PatchOperator {
 public:
  PatchOperator(const PatchedSource& source, std::vector<Patch>& patches)
      : source_(source),
        tokens_(source.tokens),
        roles_(source.roles),
        variables_(source.variables),
        statements_(source.statements),
        patches_(patches) {}

 protected:
  /// The letters from `begin` on, up to and without `end`, become `replacement`.
  void propose(PatchKind kind, std::size_t begin, std::size_t end, std::string replacement, std::string words) {
    add_patch(source_, kind, begin, end, std::move(replacement), std::move(words), patches_);
  }
  void replace_token(PatchKind kind, const Token& token, std::string_view now) {
    add_replacement(source_, kind, token, now, patches_);
  }

  /// As it is written, blanks included.
  std::string text_of(const TokenRange& range) const { return std::string(patch::text_of(source_, range)); }

  /// Letters.
  std::size_t length_of(const TokenRange& range) const {
    return tokens_[range.last].end() - tokens_[range.first].begin;
  }

  const PatchedSource& source_;
  const std::vector<Token>& tokens_;
  const TokenRoles& roles_;
  const DeclaredVariables& variables_;
  const Statements& statements_;

 private:
  std::vector<Patch>& patches_;
};

}  // namespace cudalabs::patch
