// A loop in place of an `if`, for what a loop before it leaves.
#pragma once

#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// Undoes: a loop does several elements a round, "for (; i + 3 * step < n; i += 4 * step)", and an `if` in its block
/// does only one of those that are left: "if (i < n) s += a[i];" becomes "for (; i < n; i += step) s += a[i];". The new
/// step is the loop's without one of its factors; of a step that is one number or name it is 1.
void add_remainders(const PatchedSource& source, std::vector<Patch>& patches);

}  // namespace cudalabs::patch
