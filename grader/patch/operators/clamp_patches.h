// An index that is kept inside of an array, where what is outside counts as 0.
#pragma once

#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// Undoes a clamped index, by which the last element is read again and again: "a[min(k, n - 1)]" becomes
/// "(k < n ? a[min(k, n - 1)] : 0)". Of loads whose index, or a variable in it, has `min`, a `?` or a call of a
/// function that only returns such a thing.
void add_clamps(const PatchedSource& source, std::vector<Patch>& patches);

}  // namespace cudalabs::patch
