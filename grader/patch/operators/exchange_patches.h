// Two neighbours in a list, exchanged.
#pragma once

#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// Undoes a wrong order: of a call's arguments, of blocks and threads in a launch, of numbers in `dim3` or a braced
/// list, of the names of a structured binding, of two indices side by side. Only for neighbours whose types may be the
/// same.
void add_exchanges(const PatchedSource& source, std::vector<Patch>& patches);

}  // namespace cudalabs::patch
