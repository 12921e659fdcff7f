// A factor of a sum that the same sum has elsewhere.
#pragma once

#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// Undoes a distance that is written in one place and forgotten in another one of the function: "c[first + j]" becomes
/// "c[first + j * BX]" where another index, or what is asked, is "first + j * BX". Of the last of several elements,
/// "first + COUNT - 1 < n" becomes "first + (COUNT - 1) * blockDim.x < n" where an index is "first + k * blockDim.x".
void add_strides(const PatchedSource& source, std::vector<Patch>& patches);

}  // namespace cudalabs::patch
