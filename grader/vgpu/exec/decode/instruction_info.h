// What observers may ask about a PTX instruction.
#pragma once

#include "vgpu/exec/program.h"
#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu::exec {

/// Class, memory space, width and operation count; the place in the source is the caller's business.
InstructionInfo describe_instruction(const ptx::Instruction& instruction);

}  // namespace cudalabs::vgpu::exec
