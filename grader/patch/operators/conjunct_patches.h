// A condition that asks for one thing too many.
#pragma once

#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// Undoes a part too many of a condition: one of three or more that `&&` connects is left out, and a flag that is one
/// of the parts becomes one part of what it was computed of. Of "inside && k < n", where `inside` is "row < m && col <
/// p": "row < m && k < n", which a load of the left factor's tile must ask.
void add_conjuncts(const PatchedSource& source, std::vector<Patch>& patches);

}  // namespace cudalabs::patch
