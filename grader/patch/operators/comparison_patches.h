// A comparison, taken for another one.
#pragma once

#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// Undoes a bound that is one off, `<` where `<=` is meant, and a test for the opposite, `==` where `!=` is meant. The
/// bounds that are nearly always meant as they are stay: those of a loop that counts up from 0, and `i < n`.
void add_comparisons(const PatchedSource& source, std::vector<Patch>& patches);

}  // namespace cudalabs::patch
