// What is freed later is freed at an earlier way out, too.
#pragma once

#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// Undoes: a function or a loop is left, by return, break, continue or goto, before what frees memory or destroys
/// events and streams that have been made by then.
void add_releases(const PatchedSource& source, std::vector<Patch>& patches);

}  // namespace cudalabs::patch
