// Fewer operations that do the same: constants computed once, address arithmetic inside loads, unused results dropped.
#pragma once

#include "vgpu/exec/decode/ir.h"

namespace cudalabs::vgpu::exec {

/// Replaces registers that always hold the same constant, and computes what depends on constants only.
void propagate_constants(ir::Function& function);

/// Joins neighbours into one operation where there is a handler for both: multiply-add of integers, scaled indices,
/// addresses inside loads and stores, comparisons inside branches.
void fuse(ir::Function& function);

/// Where a copy's source is read behind the copy for the last time, reads the copy: the source's life ends with it, and
/// both can share a place (layout.h), which leaves nothing to copy. A loop's counter is such a copy.
void read_copies(ir::Function& function);

/// Drops operations without effect whose results nobody reads. Loads stay: observers see them.
void drop_unused(ir::Function& function);

}  // namespace cudalabs::vgpu::exec
