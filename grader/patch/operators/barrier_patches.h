// A barrier more in a kernel with shared memory.
#pragma once

#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// Undoes: no barrier between a loop over shared memory and what comes before it, behind it or in its next trip.
void add_barriers(const PatchedSource& source, std::vector<Patch>& patches);

}  // namespace cudalabs::patch
