// A number of parts that leaves out the last one.
#pragma once

#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// Undoes a division that is rounded down where a part that is not full counts, too: "n / t" becomes
/// "(n + t - 1) / t". Of sizes only: parameters, members and what is computed of them; no threads' numbers and no
/// indices, nor "n / 4 * 4".
void add_roundings(const PatchedSource& source, std::vector<Patch>& patches);

}  // namespace cudalabs::patch
