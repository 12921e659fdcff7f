// The integer 0, given to a template that deduces a type from it.
#pragma once

#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// Undoes "inner_product(a, b, 0)" for products of floats: the template adds up in an int.
void add_deduced_zeros(const PatchedSource& source, std::vector<Patch>& patches);

}  // namespace cudalabs::patch
