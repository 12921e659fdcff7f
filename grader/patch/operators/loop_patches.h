// `while` in place of `if`, and the other way round; a counter that begins anew.
#pragma once

#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// Undoes: a value is brought back into its range once where it may take several times, or the other way round;
/// the counter of an inner loop stays at its end when the outer loop goes round again; a distance that a loop halves
/// begins at the whole of what is summed up, `warpSize`, and not at half of it.
void add_loops(const PatchedSource& source, std::vector<Patch>& patches);

}  // namespace cudalabs::patch
