// Where threads of a kernel go when they come to no barrier of their block any more, or to no shuffle of their warp.
#pragma once

#include <vector>

#include "vgpu/exec/decode/ir.h"
#include "vgpu/exec/program.h"

namespace cudalabs::vgpu::exec {

/// Puts an operation that tells observers on every way from a branch after which a barrier may come to a place after
/// which none can; likewise for shuffles. The branch is in the kernel, or in a function after whose calls none comes.
/// `bodies`: the kernel, then all that it may call, as `functions` names them; to be called before they are optimized.
/// Calls through pointers are taken for calls of functions without barriers and shuffles.
void mark_ways_past_barriers(std::vector<ir::Function>& bodies, const std::vector<const ptx::Function*>& functions,
                             const std::vector<InstructionInfo>& instructions);

}  // namespace cudalabs::vgpu::exec
