// `while` in place of `if`, and the other way round.
#pragma once

#include <vector>

#include "patch/patch.h"

namespace cudalabs::patch {

/// Undoes: a value is brought back into its range once where it may take several times, or the other way round.
void add_loops(const PatchedSource& source, std::vector<Patch>& patches);

}  // namespace cudalabs::patch
