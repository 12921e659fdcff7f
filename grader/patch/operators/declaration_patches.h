// Another type, or another life, of what is declared.
#pragma once

#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// Undoes: a `static` local that keeps what the first call has set; a parameter that is copied, and whose copy frees
/// what the caller still uses; an object without a name, which ends at once; a type that is too small or cannot hold
/// fractions or signs.
void add_declarations(const PatchedSource& source, std::vector<Patch>& patches);

}  // namespace cudalabs::patch
