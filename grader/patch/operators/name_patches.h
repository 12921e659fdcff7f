// An integer, taken for another one.
#pragma once

#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// Undoes a mistaken name: of parameters for one another (`m` and `p`), of locals whose values are computed alike
/// (`row` and `col`), of constants (`TILE` and `PITCH`), of members of one class. Only for integers of one type; the
/// same name is replaced in the whole of an expression: "(n + BM - 1) / BM".
void add_names(const PatchedSource& source, std::vector<Patch>& patches);

}  // namespace cudalabs::patch
