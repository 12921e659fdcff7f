// `.x` and `.y`, blocks and grids: one in place of the other.
#pragma once

#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// Undoes what is computed along the wrong dimension, with the size of the grid in place of that of a block, or with
/// the block's number in place of the thread's. Nothing in programs that have one dimension only is taken along
/// another.
void add_members(const PatchedSource& source, std::vector<Patch>& patches);

}  // namespace cudalabs::patch
