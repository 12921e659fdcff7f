// A statement is left out.
#pragma once

#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// Undoes: a way out of a kernel before a barrier or a shuffle; a jump or an assignment too many; a resource that is
/// released twice, or belongs to the caller; a wait of the host or a barrier where none may be; an `else` too many.
/// Launches, declarations and what looks at errors stay.
void add_removals(const PatchedSource& source, std::vector<Patch>& patches);

}  // namespace cudalabs::patch
