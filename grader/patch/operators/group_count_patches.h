// A number of groups of elements, where a number of elements is meant.
#pragma once

#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// Undoes, in functions with vector types such as `float4`: of "quads = n / 4", "k = quads + i" becomes
/// "k = quads * 4 + i". Of variables that are set once, to a quotient, where they are summands without a factor, or the
/// first value of another variable.
void add_group_counts(const PatchedSource& source, std::vector<Patch>& patches);

}  // namespace cudalabs::patch
