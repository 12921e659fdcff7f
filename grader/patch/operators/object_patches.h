// A member of one object, taken for that of another one.
#pragma once

#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// Undoes "A.cols" for "B.cols": the same member of another object of the same type. Not where the statement has that
/// one, too.
void add_objects(const PatchedSource& source, std::vector<Patch>& patches);

}  // namespace cudalabs::patch
