// A name that stands twice, and another one of its kind nowhere.
#pragma once

#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// Undoes what was written once too often, where it is copied and not adapted: "cudaFree(d_a); cudaFree(d_a);" without
/// `d_b`, or "add<<<...>>>(d_a, d_a, d_c)". Of pointers, events and streams; the other one must be of the same type
/// and never stand at that place of that call.
void add_repeated_names(const PatchedSource& source, std::vector<Patch>& patches);

/// Undoes a wait for, or a call in, the other one of two streams or events.
void add_other_handles(const PatchedSource& source, std::vector<Patch>& patches);

}  // namespace cudalabs::patch
