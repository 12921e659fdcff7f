// A call for one object, and none for another of its type.
#pragma once

#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// Undoes: of several objects of a function that have one type, one is forgotten where something is done to another:
/// "a.clear();" and no "b.clear();", "zero(x);" and no "zero(y);". Calls with other variables as arguments stay alone.
void add_sibling_calls(const PatchedSource& source, std::vector<Patch>& patches);

}  // namespace cudalabs::patch
