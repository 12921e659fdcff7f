// Which part of the frame each register gets.
#pragma once

#include "vgpu/exec/decode/emit.h"
#include "vgpu/exec/decode/ir.h"

namespace cudalabs::vgpu::exec {

/// Gives registers that are copies of each other one place where that is possible, dropping the copies, and lets
/// registers whose values are not needed at the same time share places, so that a frame stays small enough for the
/// cache.
FrameLayout lay_out(ir::Function& function);

}  // namespace cudalabs::vgpu::exec
