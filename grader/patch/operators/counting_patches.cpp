#include "patch/operators/counting_patches.h"

#include <string>
#include <string_view>

#include "patch/add_patch.h"
#include "patch/operators/patch_words.h"
#include "patch/patched_source.h"
#include "patch/token_roles.h"
#include "patch/uses.h"

namespace cudalabs::patch {
namespace {

bool compares_with_next(std::string_view sign) {
  return sign == "<" || sign == "<=" || sign == ">" || sign == ">=" || sign == "==" || sign == "!=";
}

/// Something else than a statement, the step of a loop or an argument is made of it; `first` and `last`: its tokens.
bool is_value_used(const TokenRoles& roles, std::size_t first, std::size_t last) {
  const std::string_view before = roles.text(first - 1), behind = roles.text(last + 1);
  // The condition of a `for` stands behind a semicolon, too, and more follows there.
  if (before == ";" && compares_with_next(behind)) return true;
  if (before == ";" || before == "{" || before == "}" || before == "," || before == ")" || before == "else" ||
      before == "do" || before == ":")
    return false;
  if (before != "(" || (behind != ")" && behind != ",")) return true;
  return behind == ")" && first > 1 && (roles.is(first - 2, "while") || roles.is(first - 2, "if"));
}

}  // namespace

void add_countings(const PatchedSource& source, std::vector<Patch>& patches) {
  const TokenRoles& roles = source.roles;
  for (std::size_t at = 2; at + 1 < source.tokens.size(); ++at) {
    const bool counts = roles.is(at, "--") || roles.is(at, "++");
    if (!counts || !roles.in_body(at)) continue;
    const bool before_use = !roles.ends_value(at - 1);
    const std::size_t name = before_use ? at + 1 : at - 1;
    const std::size_t first = before_use ? at : name, last = before_use ? name : at;
    const std::string_view next = roles.text(last + 1);
    const bool is_alone = roles.is_value_name(name) && is_own_name(source.tokens, name) && next != "[" && next != "." &&
                          next != "->" && next != "(" && next != "::";
    if (!is_alone || !is_value_used(roles, first, last)) continue;
    const std::string variable(roles.text(name)), sign(roles.text(at));
    const std::string changed = before_use ? variable + sign : sign + variable;
    const std::size_t begin = source.tokens[first].begin, end = source.tokens[last].end();
    add_patch(source, PatchKind::comparison, begin, end, changed,
              in_place_of(changed, before_use ? sign + variable : variable + sign), patches);
  }
}

}  // namespace cudalabs::patch
