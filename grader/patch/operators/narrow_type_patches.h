// A type of 8 or 16 bits, where more is computed than it has room for.
#pragma once

#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// Undoes a type that is too narrow: "short sum = 77 * r + 150 * g;" becomes "int sum = ...". Of local variables that
/// are given something computed or are counted, and of their arrays; of parameters of 16 bits, of what functions return
/// of 16 bits, and of conversions to 16 bits. Pointers stay, for they say what memory holds, and so do members.
void add_narrow_types(const PatchedSource& source, std::vector<Patch>& patches);

}  // namespace cudalabs::patch
