// What observers may ask about a PTX instruction.
#pragma once

#include <string>

#include "vgpu/exec/program.h"
#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu::exec {

/// Class, memory space, width and operation count; the place in the source is the caller's business.
InstructionInfo describe_instruction(const ptx::Instruction& instruction);

/// "ld.global.f32 %f1, [%rd4+8]"
std::string instruction_text(const ptx::Instruction& instruction, const ptx::Function& function);

}  // namespace cudalabs::vgpu::exec
