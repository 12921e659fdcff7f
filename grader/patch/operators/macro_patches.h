// Parentheses around the value of a macro, and around its parameters there.
#pragma once

#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// "#define LUMA(r, g) 77 * (r) + 150 * (g)", of which "LUMA(a, b) / 256" divides the last term alone.
void add_macros(const PatchedSource& source, std::vector<Patch>& patches);

}  // namespace cudalabs::patch
