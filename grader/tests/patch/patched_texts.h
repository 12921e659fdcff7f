// What an operator makes of a text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch::test {

using Operator = void (*)(const PatchedSource&, std::vector<Patch>&);

inline std::vector<Patch> patches_of(Operator add, std::string_view code) {
  std::vector<Patch> patches;
  add(PatchedSource(code), patches);
  return patches;
}

/// In "void f() { CODE }", each changed CODE, in the order of the patches.
inline std::vector<std::string> changed(Operator add, std::string_view code) {
  const std::string before = "void f(int m, int n, int p, float* x, float* y, const float* z) { ", behind = " }";
  const std::string whole = before + std::string(code) + behind;
  std::vector<std::string> texts;
  for (const Patch& patch : patches_of(add, whole)) {
    const std::string text = applied(whole, patch);
    texts.push_back(text.substr(before.size(), text.size() - before.size() - behind.size()));
  }
  return texts;
}

using Texts = std::vector<std::string>;

}  // namespace cudalabs::patch::test
