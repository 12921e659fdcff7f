// A count that is changed before its value is used, where it is to be changed after that, or the other way round.
#pragma once

#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// "while (--count > 0)" becomes "while (count-- > 0)", "a[n--]" becomes "a[--n]": of a variable that is counted up or
/// down in a condition, a subscript or another value. What is a statement of its own, or the step of a loop, stays.
void add_countings(const PatchedSource& source, std::vector<Patch>& patches);

}  // namespace cudalabs::patch
