// Where a register may be read that nothing has written.
#pragma once

#include <vector>

#include "vgpu/exec/decode/ir.h"
#include "vgpu/exec/program.h"

namespace cudalabs::vgpu::exec {

/// Puts a check before every operation that computes with a register that may hold, on some way from the function's
/// entry, nothing but what it held there. The check looks for what scheduler.cpp puts into such registers. Copies are
/// followed, not checked: a variable may be copied and never looked at.
void check_unset_reads(ir::Function& function, const std::vector<InstructionInfo>& instructions);

}  // namespace cudalabs::vgpu::exec
