#include "patch/operators/connective_patches.h"

#include "patch/operators/patch_words.h"
#include "patch/token_roles.h"

namespace cudalabs::patch {

void add_connectives(const PatchedSource& source, std::vector<Patch>& patches) {
  const TokenRoles roles(source.tokens);
  for (std::size_t at = 0; at < source.tokens.size(); ++at) {
    const Token& token = source.tokens[at];
    if (token.is("static_assert") && roles.is(at + 1, "(")) {
      at = roles.partner(at + 1);
      continue;
    }
    const bool is_connective = token.is("&&") || token.is("||");
    if (!is_connective || !roles.in_body(at) || !roles.is_binary(at)) continue;
    const std::string_view other = token.is("&&") ? "||" : "&&";
    patches.push_back({PatchKind::connective, token.begin, 2, std::string(other), in_place_of(other, token.text)});
  }
}

}  // namespace cudalabs::patch
