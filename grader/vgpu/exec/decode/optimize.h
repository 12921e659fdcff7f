// Makes a translated function faster to interpret without changing anything an observer can see.
#pragma once

#include "vgpu/exec/decode/ir.h"

namespace cudalabs::vgpu::exec {

void optimize(ir::Function& function);

}  // namespace cudalabs::vgpu::exec
