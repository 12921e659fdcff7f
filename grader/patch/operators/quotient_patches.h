// A whole number that is made of a product or quotient of a `float` becomes a quotient of whole numbers.
#pragma once

#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// "(int)((float)i * inverse)" and "static_cast<int>(i / width)", where `inverse` or `width` is a `float`: `i / d`, of
/// each whole number `d` that can be named there.
void add_quotients(const PatchedSource& source, std::vector<Patch>& patches);

}  // namespace cudalabs::patch
