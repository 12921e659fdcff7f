// Whether the value of a call is kept, dropped, or overwrites an earlier one.
#pragma once

#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// Undoes: the status of a call that frees something overwrites an error; the status of a call is dropped although a
/// variable for it is looked at later; a status overwrites an earlier one that nobody has looked at.
void add_assignments(const PatchedSource& source, std::vector<Patch>& patches);

}  // namespace cudalabs::patch
