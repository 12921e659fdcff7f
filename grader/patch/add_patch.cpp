#include "patch/add_patch.h"

#include <algorithm>
#include <utility>

#include "patch/operators/patch_words.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {
namespace {

/// Of one operator: far more than are ever tried. It bounds the memory.
constexpr std::size_t kMostPatches = 1'000;

}  // namespace

void add_patch(const PatchedSource& source, PatchKind kind, std::size_t begin, std::size_t end, std::string replacement,
               std::string words, std::vector<Patch>& patches) {
  if (patches.size() >= kMostPatches) return;
  const std::string_view before = source.code.substr(begin, end - begin);
  const auto lines_before = std::count(before.begin(), before.end(), '\n');
  if (lines_before != std::count(replacement.begin(), replacement.end(), '\n') || before == replacement) return;
  patches.push_back({kind, begin, end - begin, std::move(replacement), std::move(words)});
}

void add_replacement(const PatchedSource& source, PatchKind kind, const Token& token, std::string_view now,
                     std::vector<Patch>& patches) {
  add_patch(source, kind, token.begin, token.end(), std::string(now), in_place_of(now, token.text), patches);
}

}  // namespace cudalabs::patch
