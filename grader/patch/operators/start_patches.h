// A loop that begins at the thread's number within its block, where the function computes one in the grid.
#pragma once

#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// "for (i = done + first; ..." in place of "for (i = done + t; ...", where `first` is set to "blockIdx.x * BLOCK + t".
void add_starts(const PatchedSource& source, std::vector<Patch>& patches);

}  // namespace cudalabs::patch
