// An operator of arithmetic or an assignment, taken for another one.
#pragma once

#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// Undoes `+` for `-` in indices and bounds, `/` for `%` where the function has only one of the two, `/ sizeof` for
/// `*`, `&` for `|`, `=` for `+=` where a loop sums up, `+=` for `=` into the caller's array, and `=` for `&=` where
/// what was found before is lost.
void add_arithmetic(const PatchedSource& source, std::vector<Patch>& patches);

}  // namespace cudalabs::patch
