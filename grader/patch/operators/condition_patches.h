// A condition that is out of date, or the opposite of what is meant.
#pragma once

#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// Undoes a flag that is computed once and then asked for although what it was computed of has changed, or that is
/// computed in the first call only: the condition computes it anew. Undoes `x` for `!x`, of flags and of calls that
/// answer a question; not of those that make calls of CUDA.
void add_conditions(const PatchedSource& source, std::vector<Patch>& patches);

}  // namespace cudalabs::patch
