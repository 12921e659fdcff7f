// Which part of the frame each register gets.
#pragma once

#include "vgpu/exec/decode/emit.h"
#include "vgpu/exec/decode/ir.h"

namespace cudalabs::vgpu::exec {

FrameLayout lay_out(const ir::Function& function);

}  // namespace cudalabs::vgpu::exec
