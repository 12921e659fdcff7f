// A variable that is to keep fractions gets a type that does.
#pragma once

#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// "__shared__ int cache[256]; ... cache[t] = in[i];" of an array of `float`: the type of each local variable of whole
/// numbers that gets such a value.
void add_fractions(const PatchedSource& source, std::vector<Patch>& patches);

}  // namespace cudalabs::patch
