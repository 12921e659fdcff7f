// A condition that asks for one dimension of an access, and not for the other one.
#pragma once

#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// Undoes a comparison that is missing in a condition of a kernel: of "if (column < p) v = b[row * p + column];" it
/// becomes "column < p && row < n". What the index is compared with elsewhere comes first, then what that is compared
/// with of which it is made ("row = start + y" in a loop over "start < n"), then each other size
/// that the function has.
void add_bounds(const PatchedSource& source, std::vector<Patch>& patches);

}  // namespace cudalabs::patch
