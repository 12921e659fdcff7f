// A number of elements where a number of bytes is asked for.
#pragma once

#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// Undoes a forgotten `* sizeof(float)` in allocations, copies, fills and the shared memory of a launch. Not of arrays
/// whose elements are bytes, nor where the name or the value speaks of bytes or sizes.
void add_byte_counts(const PatchedSource& source, std::vector<Patch>& patches);

}  // namespace cudalabs::patch
