// What a source's text becomes with each patch of an operator.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch::test {

using Texts = std::vector<std::string>;

/// "void f() {" and "}" are put around `body`, and are left out of the result.
template <typename Operator>
Texts applied_in_body(Operator add, std::string_view body) {
  constexpr std::string_view kHead = "void f() { ";
  const std::string code = std::string(kHead) + std::string(body) + " }";
  const PatchedSource source(code);
  std::vector<Patch> patches;
  add(source, patches);
  Texts texts;
  for (const Patch& patch : patches) {
    const std::string text = applied(code, patch);
    texts.push_back(text.substr(kHead.size(), text.size() - kHead.size() - 2));
  }
  return texts;
}

template <typename Operator>
Texts words_in_body(Operator add, std::string_view body) {
  const std::string code = "void f() { " + std::string(body) + " }";
  const PatchedSource source(code);
  std::vector<Patch> patches;
  add(source, patches);
  Texts words;
  for (const Patch& patch : patches) words.push_back(patch.words);
  return words;
}

template <typename Operator>
Texts applied_to(Operator add, const std::string& code) {
  const PatchedSource source(code);
  std::vector<Patch> patches;
  add(source, patches);
  Texts texts;
  for (const Patch& patch : patches) texts.push_back(applied(code, patch));
  return texts;
}

}  // namespace cudalabs::patch::test
