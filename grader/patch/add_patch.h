// Adds a patch to a list.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// The letters from `begin` on, up to and without `end`, become `replacement`. Nothing is added where lines would
/// change their numbers, where nothing would change, or to a list that is very long.
void add_patch(const PatchedSource& source, PatchKind kind, std::size_t begin, std::size_t end, std::string replacement,
               std::string words, std::vector<Patch>& patches);

/// The token becomes `now`: "`||` in place of `&&`".
void add_replacement(const PatchedSource& source, PatchKind kind, const Token& token, std::string_view now,
                     std::vector<Patch>& patches);

}  // namespace cudalabs::patch
