// A pointer that stays where it is, taken for one that moves on from array to array.
#pragma once

#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// Undoes, where two arrays take turns: what is copied, launched with or read is always the same one of them, and not
/// the one that a pointer has come to point to; or the other one of two such pointers; or such a pointer is freed. Only
/// of pointers to the same type.
void add_moving_pointers(const PatchedSource& source, std::vector<Patch>& patches);

}  // namespace cudalabs::patch
