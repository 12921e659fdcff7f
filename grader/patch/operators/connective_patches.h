// `&&` and `||`, one in place of the other.
#pragma once

#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// Undoes a condition that asks for both where one is enough, or the other way round.
void add_connectives(const PatchedSource& source, std::vector<Patch>& patches);

}  // namespace cudalabs::patch
