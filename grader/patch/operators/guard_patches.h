// A condition before an access whose index moves on from what has been asked for.
#pragma once

#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// Undoes, in kernels: what a thread does several times is guarded once, for its first index. "if (row < height)" then
/// also stands before the access in a loop that computes another row, "if (i < n)" where the loop moves `i` on,
/// "if (i < (size_t)height * width)" where it moves on from row to row, and "if (i + 1 < n)" where that is the index.
void add_guards(const PatchedSource& source, std::vector<Patch>& patches);

}  // namespace cudalabs::patch
