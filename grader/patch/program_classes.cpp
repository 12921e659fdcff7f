#include "patch/program_classes.h"

#include "patch/patched_source.h"

namespace cudalabs::patch {

std::set<std::string_view> classes_with_destructor(const PatchedSource& source) {
  const std::vector<Token>& tokens = source.tokens;
  std::set<std::string_view> classes, destroyed;
  for (std::size_t at = 0; at + 2 < tokens.size(); ++at) {
    if (tokens[at].is("struct") || tokens[at].is("class")) classes.insert(tokens[at + 1].text);
    if (tokens[at].is("~") && tokens[at + 2].is("(")) destroyed.insert(tokens[at + 1].text);
  }
  std::erase_if(destroyed, [&classes](std::string_view name) { return !classes.contains(name); });
  return destroyed;
}

}  // namespace cudalabs::patch
