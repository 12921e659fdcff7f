// Whether a kernel's blocks may run at once without changing what it computes.
#pragma once

#include <vector>

#include "vgpu/exec/decode/ir.h"

namespace cudalabs::vgpu::exec {

/// False when a function talks to other blocks: atomics, volatile or ordered accesses that may reach global memory,
/// fences beyond the block, device-side allocation. Then the result may depend on the order, and the order must be
/// fixed.
bool may_run_concurrently(const std::vector<ir::Function>& functions);

/// Whether a function calls malloc or free.
bool may_allocate(const std::vector<ir::Function>& functions);

/// Whether it looks for the memory of a cooperative launch, as CUDA's grid groups do.
bool asks_for_grid_workspace(const std::vector<ir::Function>& functions);

}  // namespace cudalabs::vgpu::exec
