// A number that is one off, or of the wrong type.
#pragma once

#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// Undoes an integer 0 from which the type of a sum is deduced, a quotient of integers that is always 0, what is one
/// more or less than meant in a bound, a loop's start, a rounding up or a counter that wraps, and elements counted
/// where bytes are meant.
void add_numbers(const PatchedSource& source, std::vector<Patch>& patches);

}  // namespace cudalabs::patch
