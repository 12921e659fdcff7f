// A call or a label, taken for another one.
#pragma once

#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// Undoes a call of what does nearly the same: one that asks and does not wait, a barrier of a warp where one of the
/// block is meant, an error that is looked at and not cleared, the direction of a copy that all copies have.
void add_callees(const PatchedSource& source, std::vector<Patch>& patches);

/// Undoes a `goto` to another label of the same function.
void add_labels(const PatchedSource& source, std::vector<Patch>& patches);

}  // namespace cudalabs::patch
