// Fewer operations that do the same: constants computed once, address arithmetic inside loads, unused results dropped.
#pragma once

#include "vgpu/exec/decode/ir.h"

namespace cudalabs::vgpu::exec {

/// Replaces registers that always hold the same constant, and computes what depends on constants only.
void propagate_constants(ir::Function& function);

/// Joins neighbours into one operation where there is a handler for both: multiply-add of integers, scaled indices,
/// addresses inside loads and stores, comparisons inside branches.
void fuse(ir::Function& function);

/// Drops operations without effect whose results nobody reads. Loads stay: observers see them.
void drop_unused(ir::Function& function);

}  // namespace cudalabs::vgpu::exec
