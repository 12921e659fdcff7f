// A statement goes into the loop or the if beside it, or out of its own.
#pragma once

#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// Undoes: a statement stands behind a block whose last one it should be, or the other way round; a variable is set
/// before a loop, which should be set anew in each trip, or the other way round.
void add_places(const PatchedSource& source, std::vector<Patch>& patches);

}  // namespace cudalabs::patch
