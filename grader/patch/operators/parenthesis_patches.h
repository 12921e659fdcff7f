// Brackets that are missing, or too wide.
#pragma once

#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// Undoes "n + t - 1 / t" for "(n + t - 1) / t", "a + 1 * n" for "(a + 1) * n", and a cast of what has been computed
/// already, "(size_t)(a * b)" for "(size_t)a * b".
void add_parentheses(const PatchedSource& source, std::vector<Patch>& patches);

}  // namespace cudalabs::patch
